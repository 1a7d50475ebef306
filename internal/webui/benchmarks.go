package webui

func (s *site) benchmarks(v *visit) error { return &mistake{v.say("benchmarks.none")} }
