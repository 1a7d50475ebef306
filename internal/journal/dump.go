package journal

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"scorebook/contest"
)

// line is a record in a dump.
type line struct {
	Seq     contest.Seq     `json:"seq"`
	At      time.Time       `json:"at"` // RFC 3339, to the nanosecond
	Kind    string          `json:"kind"`
	Version int             `json:"version"`
	Data    json.RawMessage `json:"data"`
	Hash    string          `json:"hash"`
}

// maxLine bounds a line of a dump: a body of 64 KiB, escaped, and room.
const maxLine = 1 << 20

// Write writes the records of a journal up to a number as JSON lines, one each.
func Write(ctx context.Context, w io.Writer, log Log, last contest.Seq) error {
	out := bufio.NewWriter(w)
	for record, err := range log.Read(ctx, 0) {
		if err != nil {
			return err
		}
		if record.Seq > last {
			break
		}
		// Data stands as it is: its bytes are what is hashed.
		head, err := json.Marshal(line{Seq: record.Seq, At: record.At, Kind: record.Kind, Version: record.Version, Data: []byte("0"), Hash: record.Hash.String()})
		if err != nil {
			return err
		}
		cut := len(head) - len(`0,"hash":"`) - 2*len(record.Hash) - len(`"}`)
		out.Write(head[:cut])
		out.Write(record.Data)
		out.Write(head[cut+1:])
		out.WriteByte('\n')
	}
	return out.Flush()
}

// Parse reads what Write wrote into a journal in memory. Its records stand as
// they were found: whether they are whole, Verify tells.
func Parse(name string, r io.Reader) (*Memory, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	memory := NewMemory()
	for n := 1; in.Scan(); n++ {
		var l line
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("%s:%d: found no record of a journal: %w", name, n, err)
		}
		hash, err := hex.DecodeString(l.Hash)
		if err != nil || len(hash) != len(Hash{}) {
			return nil, fmt.Errorf("%s:%d: hash: found %.80q, expected %d hexadecimal digits", name, n, l.Hash, 2*len(Hash{}))
		}
		memory.records = append(memory.records, Record{Seq: l.Seq, At: l.At.UTC(), Kind: l.Kind, Version: l.Version, Data: l.Data, Hash: Hash(hash)})
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return memory, nil
}
