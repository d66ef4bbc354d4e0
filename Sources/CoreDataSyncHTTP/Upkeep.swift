#if SyncServer
import CoreDataSyncServer
import Logging
import ServiceLifecycle

/// Wakes live connections now and then, so that proxies keep them open, and ends waits whose time is over.
struct Heartbeat: Service {
    let hub: PokeHub
    var interval = Duration.seconds(25)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var next = ContinuousClock.now + interval
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                let now = ContinuousClock.now
                hub.endWaits(at: now)
                guard now >= next else { continue }
                hub.beat()
                next = now + interval
            }
        }
    }
}

/// A service that ends live connections when it is asked to end itself, which waits for them.
struct Listened<Wrapped: Service>: Service {
    let wrapped: Wrapped
    let hub: PokeHub

    func run() async throws {
        try await withGracefulShutdownHandler {
            try await wrapped.run()
        } onGracefulShutdown: {
            hub.close()
        }
    }
}

/// Forgets what is older than the retention, and removes blobs that nothing refers to.
struct Maintenance: Service {
    let service: SyncService
    let blobs: BlobStore
    /// Days.
    let retention: Int
    let logger: Logger
    var interval = Duration.seconds(3600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { await clean() } while (try? await Task.sleep(for: interval)) != nil
        }
    }

    private func clean() async {
        let age = UInt64(retention) * 86_400_000
        do {
            let now = service.milliseconds
            let zones = try await service.forget(changedBefore: now - min(now, age))
            if zones > 0 { logger.info("Forgot old deletions", metadata: ["zones": "\(zones)"]) }
            try await service.sweep(blobs)
        } catch {
            logger.error("Maintenance failed", metadata: ["error": "\(error)"])
        }
    }
}
#endif
