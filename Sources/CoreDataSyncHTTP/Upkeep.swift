#if SyncServer
import CoreDataSyncServer
import Logging
import ServiceLifecycle

/// Wakes live connections now and then, so that proxies keep them open, and ends them with the server.
struct Heartbeat: Service {
    let hub: PokeHub
    var interval = Duration.seconds(25)

    func run() async throws {
        defer { hub.close() }
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil { hub.beat() }
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
