package result

// ServerMachine is what was seen of the machine that the server ran on: the client's when they
// share one, nil when it could not be seen.
func (e *Evidence) ServerMachine() *Machine {
	if e.Server == nil && e.SharedHost {
		return e.Client
	}
	return e.Server
}
