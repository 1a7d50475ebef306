package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"

	"scorebook/contest"
)

// Version is the format of the records that this program writes, and the only
// one so far.
const Version = 1

// Hash is the SHA-256 that a record carries.
type Hash [sha256.Size]byte

// String returns the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// Record is an event as it stands in the journal.
type Record struct {
	Seq     contest.Seq
	At      time.Time // in UTC, to the nanosecond
	Kind    string    // of the event
	Version int       // of Data
	Data    []byte    // JSON of the event's fields
	Hash    Hash      // over the hash before, or zeros, and everything above
}

// Sum returns the hash that the record must carry after a record with the hash
// previous: the SHA-256 of previous, version, number, nanoseconds since 1970,
// length of the kind, kind, length of the data, data. Numbers have eight bytes,
// the highest first. Since texts are preceded by their length, no two records
// are summed over the same bytes.
func (r Record) Sum(previous Hash) Hash {
	head := make([]byte, 0, len(previous)+len(r.Kind)+5*8)
	head = append(head, previous[:]...)
	head = binary.BigEndian.AppendUint64(head, uint64(r.Version))
	head = binary.BigEndian.AppendUint64(head, uint64(r.Seq))
	head = binary.BigEndian.AppendUint64(head, uint64(r.At.UnixNano()))
	head = binary.BigEndian.AppendUint64(head, uint64(len(r.Kind)))
	head = append(head, r.Kind...)
	head = binary.BigEndian.AppendUint64(head, uint64(len(r.Data)))
	sum := sha256.New()
	sum.Write(head)
	sum.Write(r.Data)
	return Hash(sum.Sum(nil))
}
