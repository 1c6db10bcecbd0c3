package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// PrimaryOptions are what a private server needs to have private replicas,
// beside TCP.
func PrimaryOptions() []Option {
	return []Option{{Name: "log_bin", Value: "binlog"}, {Name: "server_id", Value: "1"}}
}

// StartReplicas starts private servers that repeat what the primary does. It
// must come before anything is written there, as they begin where its binary
// log ends. The caller stops them; on an error none is left.
func StartReplicas(ctx context.Context, primary *Server, count int, p Private) ([]*Server, error) {
	if !primary.private.listens() {
		return nil, errors.New("replicas: the private primary must be reachable over TCP")
	}
	position, err := primary.Position(ctx)
	if err != nil {
		return nil, fmt.Errorf("replicas: %w", err)
	}
	var replicas []*Server
	for i := range count {
		replica, err := startReplica(ctx, primary, position, p, i)
		if err != nil {
			for _, started := range replicas {
				err = errors.Join(err, started.Stop())
			}
			return nil, fmt.Errorf("replica %d: %w", i+1, err)
		}
		replicas = append(replicas, replica)
	}
	return replicas, nil
}

func startReplica(ctx context.Context, primary *Server, position Position, p Private, index int) (*Server, error) {
	const firstID = 2 // the primary is 1
	p.Options = append(slices.Clone(p.Options),
		Option{Name: "server_id", Value: fmt.Sprint(firstID + index)},
		Option{Name: "relay_log", Value: "relay"}, Option{Name: "read_only", Value: "ON"})
	replica, err := StartPrivate(ctx, p)
	if err != nil {
		return nil, err
	}
	if err := replica.follow(ctx, primary, position); err != nil {
		return nil, errors.Join(err, replica.Stop())
	}
	return replica, nil
}

// follow tells a replica where its primary is and starts it.
func (s *Server) follow(ctx context.Context, primary *Server, position Position) error {
	change := fmt.Sprintf("CHANGE MASTER TO MASTER_HOST='%s', MASTER_PORT=%d, MASTER_USER='%s', MASTER_PASSWORD='%s', MASTER_LOG_FILE='%s', MASTER_LOG_POS=%d, MASTER_SSL=0",
		loopback, primary.port, privateUser, primary.password, position.File, position.Offset)
	if s.Flavour == MySQL && s.Binary.atLeast(8, 0, 26) {
		change = fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST='%s', SOURCE_PORT=%d, SOURCE_USER='%s', SOURCE_PASSWORD='%s', SOURCE_LOG_FILE='%s', SOURCE_LOG_POS=%d, GET_SOURCE_PUBLIC_KEY=1",
			loopback, primary.port, privateUser, primary.password, position.File, position.Offset)
	}
	s.statements.Add(1)
	if _, err := s.observer.ExecContext(ctx, change); err != nil {
		return fmt.Errorf("follow the primary on port %d: %w", primary.port, err)
	}
	return s.StartReplication(ctx)
}

// StartReplication lets a replica go on, as after a Resume.
func (s *Server) StartReplication(ctx context.Context) error {
	start := "START SLAVE"
	if s.Flavour == MySQL && s.Binary.atLeast(8, 0, 26) {
		start = "START REPLICA"
	}
	s.statements.Add(1)
	if _, err := s.observer.ExecContext(ctx, start); err != nil {
		return fmt.Errorf("start replication: %w", err)
	}
	return nil
}
