package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const testAdminToken = "the token of the organiser"

// process is the program as a process of its own.
type process struct {
	cmd    *exec.Cmd
	base   string // URL
	stdout *output
	stderr *output
	silent chan struct{} // nothing more comes to stdout
}

// output keeps what a process writes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// begin starts the program and returns when it listens.
func begin(t testing.TB, args ...string) *process {
	t.Helper()
	return beginAs(t, testAdminToken, args...)
}

// beginAs is begin with an admin token in the environment, or none.
func beginAs(t testing.TB, token string, args ...string) *process {
	t.Helper()
	p := &process{stdout: &output{}, stderr: &output{}, silent: make(chan struct{})}
	p.cmd = exec.CommandContext(context.Background(), os.Args[0], args...)
	p.cmd.Env = append(os.Environ(), asProgram+"=1", adminVariable+"="+token)
	p.cmd.Stderr = p.stderr
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill() })
	lines := bufio.NewScanner(io.TeeReader(stdout, p.stdout))
	for lines.Scan() {
		if fields := strings.Fields(lines.Text()); len(fields) == 2 && fields[0] == "scorebook" {
			p.base = fields[1]
			go func() {
				defer close(p.silent)
				io.Copy(p.stdout, stdout) //nolint:errcheck // it ends with the process
			}()
			return p
		}
	}
	p.kill()
	t.Fatalf("the server did not start:\n%s", p.stderr)
	return nil
}

// stop ends the process as an operator would, and returns its exit code.
func (p *process) stop(t testing.TB) int {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	p.cmd.Wait() //nolint:errcheck // the exit code tells
	return p.cmd.ProcessState.ExitCode()
}

// kill ends the process as a power cut would, and waits until it is gone.
func (p *process) kill() {
	p.cmd.Process.Kill() //nolint:errcheck // it may be gone already
	p.cmd.Wait()         //nolint:errcheck // killed
}

var client = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 100}}

// call sends JSON and reads the reply. An error means that there was none.
func call(ctx context.Context, method, url, token string, body any, header ...string) (status int, reply map[string]any, h http.Header, err error) {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return 0, nil, nil, err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, url, sent)
	if err != nil {
		return 0, nil, nil, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, nil, err
	}
	defer response.Body.Close() //nolint:errcheck // only read
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, nil, nil, err
	}
	if err := json.Unmarshal(text, &reply); err != nil {
		return 0, nil, nil, fmt.Errorf("%s %s: %w: %.200s", method, url, err, text)
	}
	return response.StatusCode, reply, response.Header, nil
}

// must is call for a reply with status 200.
func must(t testing.TB, method, url, token string, body any) map[string]any {
	t.Helper()
	status, reply, _, err := call(t.Context(), method, url, token, body)
	if err != nil || status != http.StatusOK {
		t.Fatalf("%s %s: status %d, %v, %v", method, url, status, reply, err)
	}
	return reply
}
