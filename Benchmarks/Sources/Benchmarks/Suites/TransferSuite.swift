import CoreData
import Foundation
import RawLoops
import Synchronization

/// The work of a server: every request has a context of its own, on a thread of its own, that fetches,
/// changes and saves. Measured by the wall clock, since waiting for one another is what counts.
struct TransferSuite {
    let bench: Workbench

    func make() throws -> Suite {
        let bank = try bench.bank()
        let variants = [1, 2, 4, 16].flatMap { threads in
            let raw = "C, \(Self.title(threads))"
            return [
                Variant(name: raw) { try transfersInC(bank, threads: threads) },
                Variant(name: "Core Data, \(Self.title(threads))", peerOf: raw) {
                    try transfers(bank, threads: threads, mergingEvery: nil)
                },
            ]
        }
        let most = "Core Data, \(Self.title(16))"
        return Suite(
            name: "Transfers between accounts, a new context for each", unit: "ns per transfer, by the clock",
            variants: variants + [
                Variant(name: "\(most), every fourth context merges", peerOf: most) {
                    try transfers(bank, threads: 16, mergingEvery: 4)
                }
            ])
    }

    private static func title(_ threads: Int) -> String { threads == 1 ? "1 thread" : "\(threads) threads" }

    private func transfers(_ bank: Dataset, threads: Int, mergingEvery interval: Int?) throws -> Double {
        try bank.withCopy(full: true) { path in
            let stack = try Stack(path, bank.model)
            let coordinator = stack.coordinator
            let cost = try sharing(among: threads) { thread, transfers in
                let merges = interval.map { thread % $0 == 0 } ?? false
                for transfer in transfers { try transfer.make(in: coordinator, merges: merges) }
            }
            try stack.close()
            return cost
        }
    }

    /// Makes the transfers in C, with a connection for each thread.
    private func transfersInC(_ bank: Dataset, threads: Int) throws -> Double {
        try bank.withCopy(full: true) { path in
            try sharing(among: threads) { _, transfers in
                guard let bank = raw_open_bank(path) else { throw BenchmarkError("\(path) cannot be opened") }
                defer { raw_close_bank(bank) }
                for transfer in transfers {
                    let names = (from: "account \(transfer.from)", to: "account \(transfer.to)")
                    guard raw_transfer(bank, names.from, names.to, transfer.amount) else {
                        throw BenchmarkError("a raw transfer failed")
                    }
                }
            }
        }
    }

    /// Divides the transfers among threads; the total is the same whatever the number of threads.
    ///
    /// - Parameter body: Makes the share of one thread.
    /// - Returns: The time one transfer takes.
    private func sharing(
        among threads: Int, _ body: @escaping @Sendable (Int, [Transfer]) throws -> Void
    ) throws -> Double {
        let count = bench.sizes.transfers / threads
        let shares = (0..<threads).map {
            Transfer.random(count, among: bench.sizes.accounts, seed: UInt64($0 + 1))
        }
        let failure = Mutex<(any Error)?>(nil)
        let done = DispatchGroup()
        let start = raw_wall_nanoseconds()
        for (thread, share) in shares.enumerated() {
            done.enter()
            Thread {
                do { try body(thread, share) } catch { failure.withLock { $0 = error } }
                done.leave()
            }.start()
        }
        done.wait()
        let elapsed = Double(raw_wall_nanoseconds() - start)
        if let error = failure.withLock({ $0 }) { throw error }
        return elapsed / Double(count * threads)
    }
}
