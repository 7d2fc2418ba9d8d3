// Package badinput gives functions bad arguments, one at a time, and judges the outcome:
// an argument is refused with its path, its value and a fix, or passed on literally.
//
// [New] finds the arguments by reflection, so that one that is added later is tried without
// a change here. Which of all bad values are tried is set by the flag -bad-inputs.
package badinput
