package keep_test

import (
	"testing"

	"scorebook/internal/keep"
	"scorebook/internal/keep/keeptest"
)

func TestMemory(t *testing.T) { keeptest.Run(t, keep.NewMemory()) }
