// SPDX-License-Identifier: BSL-1.0
// Copyright (c) 2026 The sluice authors

// Channels of Go, called as bench/programs.hpp says.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

type task struct {
	work                                           string
	capacity, producers, consumers, threads, steps uint64
}

func turn(what task, items uint64) (time.Duration, uint64) {
	queue := make(chan uint64, what.capacity)
	var sum uint64
	start := time.Now()
	for value := uint64(0); value < items; value++ {
		queue <- value
		sum += <-queue
	}
	return time.Since(start), sum
}

func pass(what task, items uint64) (time.Duration, uint64) {
	queue := make(chan uint64, what.capacity)
	sums := make([]uint64, what.consumers)
	var all sync.WaitGroup
	all.Add(int(what.producers + what.consumers))
	start := time.Now()
	share := items / what.producers
	for i := uint64(0); i < what.producers; i++ {
		go func(first, last uint64) {
			defer all.Done()
			for value := first; value < last; value++ {
				queue <- value
			}
		}(i*share, (i+1)*share)
	}
	for i := range sums {
		go func(sum *uint64) {
			defer all.Done()
			var own uint64
			for left := items / what.consumers; left > 0; left-- {
				own += <-queue
			}
			*sum = own
		}(&sums[i])
	}
	all.Wait()
	taken := time.Since(start)
	var total uint64
	for _, sum := range sums {
		total += sum
	}
	return taken, total
}

// As work() in bench/work.hpp.
func work(seed, steps uint64) uint64 {
	for ; steps > 0; steps-- {
		seed = seed*6364136223846793005 + 1442695040888963407
	}
	return seed
}

func stages(what task, items uint64) (time.Duration, uint64) {
	first := make(chan uint64, what.capacity)
	second := make(chan uint64, what.capacity)
	done := make(chan uint64)
	start := time.Now()
	go func() {
		for value := uint64(0); value < items; value++ {
			first <- work(value, what.steps)
		}
	}()
	go func() {
		for left := items; left > 0; left-- {
			second <- work(<-first, what.steps)
		}
	}()
	go func() {
		var last uint64
		for left := items; left > 0; left-- {
			last = work(<-second, what.steps)
		}
		done <- last
	}()
	last := <-done
	return time.Since(start), last
}

func perform(what task, items uint64) time.Duration {
	sum := items * (items - 1) / 2
	var taken time.Duration
	var got uint64
	switch what.work {
	case "turn":
		taken, got = turn(what, items)
	case "pass":
		taken, got = pass(what, items)
	case "stages":
		taken, got = stages(what, items)
		sum = work(work(work(items-1, what.steps), what.steps), what.steps)
	default:
		fail("cannot do '" + what.work + "'")
	}
	if got != sum {
		fail("a benchmark has lost items")
	}
	return taken
}

func fail(reason string) {
	fmt.Fprintln(os.Stderr, os.Args[0]+": "+reason)
	os.Exit(1)
}

func number(index int) uint64 {
	value, err := strconv.ParseUint(os.Args[index], 10, 64)
	if err != nil {
		fail(err.Error())
	}
	return value
}

func main() {
	if len(os.Args) != 8 {
		fail("needs a work and six numbers")
	}
	what := task{os.Args[1], number(2), number(3), number(4), number(5), number(6)}
	items := number(7)
	runtime.GOMAXPROCS(int(what.threads))
	portion := what.producers * what.consumers
	perform(what, (items/10/portion+1)*portion)
	fmt.Println(perform(what, items).Nanoseconds())
}
