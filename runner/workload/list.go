package workload

// All lists the workloads, in the order in which they are shown.
func All() []Spec {
	return []Spec{
		selectKey,
		updateSelect,
		oltpPointSelect,
		oltpReadOnly,
		oltpReadWrite,
		oltpWriteOnly,
		oltpUpdateIndex,
		oltpUpdateNonIndex,
		oltpInsert,
		oltpDelete,
		selectRandomPoints,
		selectRandomRanges,
		bulkInsert,
		oltp04Spec,
		tpcb,
		dbt1,
	}
}
