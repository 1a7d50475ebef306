package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"scorebook/internal/live"
)

// Bounds on connections. A connection on which nothing arrives is gone after
// headerTime, one on which nothing can be written after writeTime.
const (
	headerTime     = 5 * time.Second
	writeTime      = 30 * time.Second
	idleTime       = 60 * time.Second
	maxHeaderBytes = 16 << 10
)

// Server returns a server for the interface, with bounds on what a client may
// hold up. Its errors go to the logger.
func Server(handler http.Handler, logger *slog.Logger) *http.Server {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	stopping, stop := context.WithCancel(context.Background())
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTime, // of bodies: see exchange.read
		WriteTimeout:      writeTime,  // of streams and downloads: each write has its own
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context {
			return live.WithStopping(context.Background(), stopping)
		},
	}
	server.RegisterOnShutdown(stop)
	return server
}
