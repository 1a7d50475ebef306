package main

import (
	"context"
	"net"
	"net/http"
	"net/http/pprof"
	"time"
)

// profiles serves what the server does with its time and memory, at an address
// that only this machine reaches.
func (r *running) profiles(ctx context.Context) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", r.serving.debug)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	r.logger.Info("serving profiles", "address", listener.Addr().String())
	return server.Serve(listener)
}
