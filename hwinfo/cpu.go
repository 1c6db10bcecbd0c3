package hwinfo

func readCPU(r *reader) {}
