import CoreData
import Foundation
import RawLoops
import Synchronization

/// Several contexts at once, measured by the wall clock, since waiting is what counts.
struct ConcurrencySuites {
    let bench: Workbench

    var all: [(name: String, make: () throws -> Suite)] {
        [("concurrency faults", faults), ("concurrency readers", readers), ("concurrency import", latency)]
    }

    // MARK: Two contexts faulting

    func faults() throws -> Suite {
        let items = try bench.items()
        func fault(threads: Int, connections: Int) throws -> Double {
            let stack = try Stack(
                items.fullPath, items.model, [NSPersistentStoreConnectionPoolMaxSizeKey: connections])
            let keys = Array(Set(bench.randomKeys(bench.sizes.faults)))
            let half = keys.count / 2
            // Each thread reads equally many faults, whatever the number of threads.
            let workers = try (0..<threads).map { thread in
                try FaultingWorker(stack, Array(keys[thread * half..<(thread + 1) * half]))
            }
            let start = raw_wall_nanoseconds()
            DispatchQueue.concurrentPerform(iterations: threads) { workers[$0].read() }
            let elapsed = Double(raw_wall_nanoseconds() - start)
            try stack.close()
            return elapsed / Double(half * threads)
        }
        let one = "one thread"
        return Suite(
            name: "Two contexts faulting on two threads", unit: "ns per fault, by the clock",
            variants: [
                Variant(name: one) { try fault(threads: 1, connections: 1) },
                Variant(
                    name: "two threads, one connection", goals: [Goal(baseline: one, target: 1.2, limit: 1.6)]
                ) { try fault(threads: 2, connections: 1) },
                Variant(
                    name: "two threads, two connections", goals: [Goal(baseline: one, target: 0.75, limit: 1)]
                ) { try fault(threads: 2, connections: 2) },
            ])
    }

    // MARK: One writer, two readers

    func readers() throws -> Suite {
        let items = try bench.items()
        func reading(writers: Int) throws -> Double {
            try items.withCopy(full: true) { path in
                let stack = try Stack(path, items.model)
                let background = BackgroundWriter(stack)
                if writers > 0 { background.start() }
                let times = Mutex<[Double]>([])
                let contexts = (0..<2).map { _ in stack.makeContext(.privateQueueConcurrencyType) }
                let count = bench.sizes.pauses * 5
                DispatchQueue.concurrentPerform(iterations: 2) { reader in
                    let own = Self.timesOfFetches(contexts[reader], count: count, seed: reader)
                    times.withLock { $0 += own }
                }
                try background.stop()
                try stack.close()
                return median(times.withLock { $0 })
            }
        }
        let alone = "two readers alone"
        return Suite(
            name: "Fetch 20 objects while others work", unit: "ns per fetch, by the clock",
            variants: [
                Variant(name: alone) { try reading(writers: 0) },
                Variant(name: "two readers and a writer", peerOf: alone) { try reading(writers: 1) },
            ])
    }

    private static func timesOfFetches(_ context: NSManagedObjectContext, count: Int, seed: Int) -> [Double] {
        context.performAndWait {
            (0..<count).map { number in
                let start = raw_wall_nanoseconds()
                let found = try? context.objects("Item", of: Item.self) {
                    $0.predicate = NSPredicate(format: "rank == %d", (number * 31 + seed) % 1000)
                    $0.fetchLimit = 20
                }
                consume(found)
                return Double(raw_wall_nanoseconds() - start)
            }
        }
    }

    // MARK: The view context during an import

    func latency() throws -> Suite {
        let items = try bench.items()
        func times(isImporting: Bool) throws -> [Double] {
            try items.withCopy(full: true) { path in
                let stack = try Stack(path, items.model)
                let background = BackgroundWriter(stack)
                if isImporting { background.start() }
                let times = Self.timesOfFetches(
                    stack.makeContext(.privateQueueConcurrencyType), count: bench.sizes.pauses * 10, seed: 0)
                try background.stop()
                try stack.close()
                return times.sorted()
            }
        }
        let idle = "median, nothing else"
        let idleWorst = "99th percentile, nothing else"
        return Suite(
            name: "The view context's fetch of 20 during an import", unit: "ns per fetch, by the clock",
            variants: [
                Variant(name: idle) { median(try times(isImporting: false)) },
                Variant(name: "median, during an import", peerOf: idle) {
                    median(try times(isImporting: true))
                },
                Variant(name: idleWorst) { percentile(99, try times(isImporting: false)) },
                Variant(name: "99th percentile, during an import", peerOf: idleWorst) {
                    percentile(99, try times(isImporting: true))
                },
            ])
    }

    private func percentile(_ percent: Int, _ sorted: [Double]) -> Double {
        sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }
}

/// Faults in a context of their own, read by one thread at a time.
private final class FaultingWorker: @unchecked Sendable {
    private let context: NSManagedObjectContext
    private let items: [Item]

    init(_ stack: Stack, _ keys: [Int64]) throws {
        context = stack.makeContext(.privateQueueConcurrencyType)
        let context = context
        items = try context.performAndWait {
            let all = try context.objects("Item", of: Item.self) {
                $0.includesPropertyValues = false
                $0.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
            }
            return keys.map { all[Int($0) - 1] }
        }
    }

    func read() {
        context.performAndWait { for item in items { consume(item.serial) } }
    }
}

/// Imports and saves a hundred rows at a time until it is stopped.
private final class BackgroundWriter: Sendable {
    private let context: NSManagedObjectContext
    private let isRunning = Atomic<Bool>(false)
    private let done = DispatchSemaphore(value: 0)
    private let failure = Mutex<(any Error)?>(nil)

    init(_ stack: Stack) {
        context = stack.makeContext(.privateQueueConcurrencyType)
    }

    func start() {
        isRunning.store(true, ordering: .relaxed)
        Thread { [self] in
            context.performAndWait { write() }
            done.signal()
        }.start()
    }

    private func write() {
        var number = 0
        while isRunning.load(ordering: .relaxed) {
            for _ in 0..<100 {
                Item(context: context).fill(from: Sample(number))
                number += 1
            }
            do {
                try context.save()
            } catch {
                return failure.withLock { $0 = error }
            }
            context.reset()
        }
    }

    func stop() throws {
        guard isRunning.exchange(false, ordering: .relaxed) else { return }
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
