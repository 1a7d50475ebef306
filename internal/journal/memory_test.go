package journal_test

import (
	"testing"

	"scorebook/internal/journal"
	"scorebook/internal/journal/journaltest"
)

func TestMemory(t *testing.T) {
	journaltest.TestLog(t, func(*testing.T) (journal.Log, func() journal.Log) { return journal.NewMemory(), nil })
}
