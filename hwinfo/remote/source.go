package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Source reads counters of a host through one long-lived shell. It implements
// series.Source. A broken connection is re-established at the next read, but not
// more often than every few seconds. Close ends the shell.
type Source struct {
	host   Host
	cmd    *exec.Cmd
	said   *tail
	in     io.WriteCloser
	out    *bufio.Reader
	bootID []byte
	mu     sync.Mutex
	err    error     // of a broken connection
	broken time.Time // when it broke
	closed bool
	buf    []byte
	cancel context.CancelFunc
}

// answerMax bounds how long a host may take to print its counters.
const answerMax = 15 * time.Second

// bootIDPath is a file with a random line that is constant until the next boot.
// It separates the files that one cat prints.
const bootIDPath = "/proc/sys/kernel/random/boot_id"

// loop is run on the host: for each line of paths it prints their contents.
// For "-" the shell itself prints the load average, without starting a process.
const loop = `exec sh -c 'read -r b <` + bootIDPath + ` && echo "mysweep $b" && while read -r p; do if [ "$p" = - ]; then read -r l </proc/loadavg; echo "$l"; echo "$b"; else cat $p 2>/dev/null; fi; done'`

// retryAfter is the time between attempts to reconnect.
const retryAfter = 5 * time.Second

// Open connects to the host. The connection lives until Close; ctx bounds
// only its set-up.
func Open(ctx context.Context, h Host) (*Source, error) {
	s := &Source{host: h}
	if err := s.connect(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// connect starts ssh and waits for the shell's greeting.
func (s *Source) connect(ctx context.Context) error {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	cmd, said, err := s.host.command(life, loop)
	if err != nil {
		cancel()
		return err
	}
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		cancel()
		return fmt.Errorf("ssh to %s: %w", s.host.Name, err)
	}
	if err := cmd.Start(); err != nil {
		cancel()
		return s.host.explain(err, "")
	}
	s.cmd, s.said, s.in, s.cancel, s.err = cmd, said, in, cancel, nil
	s.out = bufio.NewReaderSize(out, 64<<10)
	return s.within(ctx, 30*time.Second, s.greet)
}

// greet skips the output of login scripts up to our own line.
func (s *Source) greet() error {
	for {
		line, err := s.out.ReadSlice('\n')
		if err != nil {
			return err
		}
		if id, ok := bytes.CutPrefix(line, []byte("mysweep ")); ok && len(bytes.TrimSpace(id)) > 0 {
			s.bootID = append([]byte(nil), bytes.TrimSpace(id)...)
			return nil
		}
	}
}

// within runs f, and breaks the connection when it takes longer than allowed.
func (s *Source) within(ctx context.Context, limit time.Duration, f func() error) error {
	ctx, done := context.WithTimeout(ctx, limit)
	defer done()
	stop := context.AfterFunc(ctx, s.cancel)
	err := f()
	if stop() && err == nil {
		return nil
	}
	s.cancel()
	s.broken = time.Now()
	waited := s.cmd.Wait()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		s.err = fmt.Errorf("ssh to %s: no answer within %v", s.host.Name, limit)
	case ctx.Err() != nil:
		s.err = fmt.Errorf("ssh to %s: %w", s.host.Name, ctx.Err())
	default:
		s.err = s.host.explain(errors.Join(fmt.Errorf("the connection ended"), waited), s.said.String())
	}
	return s.err
}

// Read implements series.Source. The time is the middle between request and
// answer, by this machine's clock.
func (s *Source) Read(ctx context.Context, paths []string, got func(i int, data []byte)) (time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(ctx); err != nil {
		return time.Time{}, err
	}
	question := "-\n"
	if len(paths) != 1 || paths[0] != "/proc/loadavg" {
		question = strings.Join(paths, " "+bootIDPath+" ") + " " + bootIDPath + "\n"
	}
	asked := time.Now()
	err := s.within(ctx, answerMax, func() error {
		if _, err := io.WriteString(s.in, question); err != nil {
			return err
		}
		return s.answer(len(paths), got)
	})
	return asked.Add(time.Since(asked) / 2), err
}

// ready re-establishes a broken connection.
func (s *Source) ready(ctx context.Context) error {
	switch {
	case s.closed:
		return fmt.Errorf("ssh to %s: closed", s.host.Name)
	case s.err != nil && time.Since(s.broken) < retryAfter:
		return s.err
	case s.err != nil:
		return s.connect(ctx)
	}
	return nil
}

// answer reads the contents of n files; an empty one does not exist.
func (s *Source) answer(n int, got func(i int, data []byte)) error {
	for i := range n {
		s.buf = s.buf[:0]
		for {
			line, err := s.out.ReadSlice('\n')
			if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
				return err
			}
			if bytes.Equal(bytes.TrimSpace(line), s.bootID) {
				break
			}
			if s.buf = append(s.buf, line...); len(s.buf) > sizeMax {
				return errors.New("file too large")
			}
		}
		if len(s.buf) > 0 {
			got(i, s.buf)
		}
	}
	return nil
}

// Close ends the shell on the host and the client here.
func (s *Source) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.cmd == nil {
		s.closed = true
		return nil
	}
	s.closed = true
	s.in.Close()
	if s.err == nil {
		gone := make(chan struct{})
		go func() { s.cmd.Wait(); close(gone) }()
		select {
		case <-gone:
		case <-time.After(waitMax):
		}
	}
	s.cancel()
	return nil
}
