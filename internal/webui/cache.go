package webui

import (
	"sync"

	"scorebook/contest"
)

// cache keeps the newest version of pages that many people ask for.
type cache struct {
	mu    sync.Mutex
	pages map[string]*cachedPage
}

// cachedPage is a page as it was at an event of the contest and in a second of
// the clock.
type cachedPage struct {
	mu            sync.Mutex
	seq           contest.Seq
	second        int64
	plain, zipped []byte
}

// at returns the page at an event and in a second, which is made once for all
// who ask.
func (c *cachedPage) at(seq contest.Seq, second int64, render func() ([]byte, error)) (plain, zipped []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seq != seq || c.second != second || c.plain == nil {
		if plain, err = render(); err != nil {
			return nil, nil, err
		}
		c.seq, c.second, c.plain, c.zipped = seq, second, plain, zip(plain)
	}
	return c.plain, c.zipped, nil
}

// of returns the page with a key. The keys must be few.
func (c *cache) of(key string) *cachedPage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pages == nil {
		c.pages = map[string]*cachedPage{}
	}
	if c.pages[key] == nil {
		c.pages[key] = &cachedPage{}
	}
	return c.pages[key]
}
