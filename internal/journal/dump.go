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

// line is a record in a dump: one line of JSON. Data stands as it is, since its
// bytes are what is hashed.
type line struct {
	Seq     contest.Seq     `json:"seq"`
	At      time.Time       `json:"at"` // RFC 3339, to the nanosecond
	Kind    string          `json:"kind"`
	Version int             `json:"version"`
	Data    json.RawMessage `json:"data"`
	Hash    string          `json:"hash"`
}

// maxLine bounds a line of a dump, in bytes. The longest are those with the
// questions of a whole contest.
const maxLine = 64 << 20

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
		kind, err := json.Marshal(record.Kind)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(out, `{"seq":%d,"at":"%s","kind":%s,"version":%d,"data":%s,"hash":"%s"}`+"\n",
			record.Seq, record.At.Format(time.RFC3339Nano), kind, record.Version, record.Data, record.Hash)
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

// Parse reads what Write wrote into a journal in memory. Its records stand as
// they were found: whether they are whole, Verify tells.
func Parse(name string, r io.Reader) (*Memory, error) {
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	memory := NewMemory()
	n := 1
	for ; in.Scan(); n++ {
		record, err := parseLine(in.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: found no record of a journal: %w", name, n, err)
		}
		memory.records = append(memory.records, record)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, n, err)
	}
	return memory, nil
}

func parseLine(text []byte) (Record, error) {
	var l line
	if err := unmarshal(text, &l); err != nil {
		return Record{}, err
	}
	hash, err := hex.DecodeString(l.Hash)
	if err != nil || len(hash) != len(Hash{}) {
		return Record{}, fmt.Errorf("hash: found %.80q, expected %d hexadecimal digits", l.Hash, 2*len(Hash{}))
	}
	return Record{Seq: l.Seq, At: l.At.UTC(), Kind: l.Kind, Version: l.Version, Data: l.Data, Hash: Hash(hash)}, nil
}
