package store

// Exec does something to the database over the connection that writes.
func (s *SQLite) Exec(sql string) error {
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	return s.writer.db.Exec(sql)
}
