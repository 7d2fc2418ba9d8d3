// Package badinput calls functions with bad arguments, one at a time, and judges the outcome:
// an argument must be refused with its path, its value and a fix, or be passed on literally.
//
// [Test.Try] finds the arguments by reflection, so that it tries new arguments without a change here.
// The flag -bad-inputs sets how many of the bad values are tried.
package badinput
