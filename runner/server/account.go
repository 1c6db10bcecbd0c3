package server

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the system account that a private server runs under.
type account struct {
	name     string
	uid, gid int
}

// serverAccount picks it: our own when we are not root, else the one that is
// named, else mysql, else nobody.
func serverAccount(name string) (account, error) {
	if os.Geteuid() != 0 {
		return ownAccount(name)
	}
	if name != "" {
		found, err := lookupAccount(name)
		if err != nil {
			return account{}, fmt.Errorf("server user %s: %w", name, err)
		}
		return found, nil
	}
	for _, usual := range []string{"mysql", "nobody"} {
		if found, err := lookupAccount(usual); err == nil {
			return found, nil
		}
	}
	return account{}, errors.New("server user: no account mysql or nobody to run the private server: name one (--server-user)")
}

func ownAccount(name string) (account, error) {
	own := account{name: strconv.Itoa(os.Geteuid()), uid: os.Geteuid(), gid: os.Getegid()}
	if u, err := user.LookupId(own.name); err == nil {
		own.name = u.Username
	}
	if name != "" && name != own.name {
		return account{}, fmt.Errorf("server user %s: only root can start a server as another user; mysweep runs as %s", name, own.name)
	}
	return own, nil
}

func lookupAccount(name string) (account, error) {
	u, err := user.Lookup(name)
	if err != nil {
		return account{}, err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return account{}, err
	}
	gid, err := strconv.Atoi(u.Gid)
	return account{name: name, uid: uid, gid: gid}, err
}

// credential is nil where the server runs as we do.
func (a account) credential() *syscall.Credential {
	if os.Geteuid() != 0 || a.uid == 0 {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
}

func (a account) own(path string) error {
	if a.credential() == nil {
		return nil
	}
	return os.Lchown(path, a.uid, a.gid)
}

// reach says which folder on the way to path the account may not enter. A
// server that is refused there only says "permission denied", or nothing.
func (a account) reach(path string) error {
	if a.credential() == nil {
		return nil
	}
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return err
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return err
		}
		if !a.mayEnter(info) {
			return fmt.Errorf("user %s cannot access %s (mode %04o)", a.name, dir, info.Mode().Perm())
		}
		if dir == "/" {
			return nil
		}
	}
}

func (a account) mayEnter(dir os.FileInfo) bool {
	stat, ok := dir.Sys().(*syscall.Stat_t)
	mode := dir.Mode().Perm()
	switch {
	case !ok:
		return true
	case int(stat.Uid) == a.uid:
		return mode&0o100 != 0
	case int(stat.Gid) == a.gid:
		return mode&0o010 != 0
	}
	return mode&0o001 != 0
}
