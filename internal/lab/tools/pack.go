package tools

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Packing are the options of [Cache.Pack].
type Packing struct {
	// Tools are the tools' names.
	Tools []string
	// Platform is the platform of the tools: linux or darwin, on amd64 or arm64,
	// linux/arm64 for example.
	Platform string
	// Release is the tag of the release that the archive will be attached to.
	Release string
	// Dir is the directory to write into. It is created if it does not exist.
	Dir string
}

// Pack writes an archive of tools, mixedkube-tools-<os>-<arch>.tar.gz, and next to it
// its record in the format of archives.json, with the extension .json. The same
// binaries result in the same archive.
//
// Pack builds the tools that the cache lacks, even for another platform than this machine's.
// It takes nothing from PATH, from Pulumi's plugins or from another archive. It
// fails if the platform or a name is unknown, like [Cache.Ensure],
// or if the directory cannot be written.
func (c *Cache) Pack(ctx context.Context, p Packing) error {
	target, err := parsePlatform(p.Platform)
	if err != nil {
		return err
	}
	if p.Release == "" {
		return errors.New("pack the tools: name the release that the archive will be attached to")
	}
	located, err := c.forPacking(target).provide(ctx, p.Tools)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return err
	}
	packed := archive{Release: p.Release, Platform: p.Platform}
	path := filepath.Join(p.Dir, packed.file())
	err = whole(path, func(file *os.File) error {
		hash := sha256.New()
		packed.Members, err = pack(ctx, io.MultiWriter(file, hash), located)
		if err != nil {
			return err
		}
		packed.SHA256 = hex.EncodeToString(hash.Sum(nil))
		packed.Size, err = file.Seek(0, io.SeekCurrent)
		return err
	})
	if err != nil {
		return fmt.Errorf("pack %s: %w", path, err)
	}
	record, err := json.MarshalIndent(packed, "", "  ")
	if err != nil {
		return err
	}
	err = whole(filepath.Join(p.Dir, fileName(p.Platform)+".json"), func(file *os.File) error {
		_, err := file.Write(append(record, '\n'))
		return err
	})
	if err != nil {
		return err
	}
	c.progress().line("packed %d into %s (%s), SHA-256 %s", len(packed.Members), path, amount(packed.Size),
		packed.SHA256)
	return nil
}

// forPacking returns a cache for a platform that takes no tools from outside of the cache.
func (c *Cache) forPacking(target platform) *Cache {
	own := *c
	own.platform = target
	own.table = slices.Clone(c.table)
	for i := range own.table {
		own.table[i].find = nowhere
	}
	own.environ = slices.Concat(c.environ, []string{urlVariable + "=" + off})
	return &own
}

// pack writes the archive: the members in the order of the table, without anything
// that differs between machines.
func pack(ctx context.Context, out io.Writer, located []location) ([]member, error) {
	compressed := gzip.NewWriter(out)
	entries := tar.NewWriter(compressed)
	var members []member
	for _, at := range located {
		m, err := add(ctx, entries, at)
		if err != nil {
			return nil, err
		}
		members = append(members, m)
	}
	return members, errors.Join(entries.Close(), compressed.Close())
}

func add(ctx context.Context, entries *tar.Writer, at location) (member, error) {
	file, err := os.Open(at.path)
	if err != nil {
		return member{}, err
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return member{}, err
	}
	header := tar.Header{Typeflag: tar.TypeReg, Name: at.name, Size: info.Size(), Mode: 0o755, Format: tar.FormatUSTAR}
	if err := entries.WriteHeader(&header); err != nil {
		return member{}, err
	}
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(entries, hash), while(ctx, file)); err != nil {
		return member{}, err
	}
	return member{
		Tool: at.name, Version: at.pinned, Key: at.key,
		SHA256: hex.EncodeToString(hash.Sum(nil)), Size: info.Size(),
	}, nil
}

// whole writes a file that only exists after it is complete.
func whole(path string, write func(*os.File) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".*-"+filepath.Base(path))
	if err != nil {
		return err
	}
	err = errors.Join(write(file), file.Chmod(0o644), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
