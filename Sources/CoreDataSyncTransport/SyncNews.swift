import CoreDataSyncCore
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SyncHTTPClient {
    /// Listens to the server until the stream is released: an element whenever the zone has news, or may have
    /// had some while there was no connection.
    ///
    /// A connection that ends is made again, after a pause that grows and is never the same for all devices.
    package func news() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var failures = 0
                while !Task.isCancelled {
                    let hadNews = await listen { continuation.yield() }
                    failures = hadNews ? 0 : min(failures + 1, 6)
                    let pause = Double(1 << failures) * Double.random(in: 0.5...1)
                    try? await Task.sleep(for: .seconds(pause))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Listens on one connection until it ends. Returns whether anything came.
    private func listen(_ onPoke: @escaping @Sendable () -> Void) async -> Bool {
        guard (try? pause.check()) != nil,
            var request = try? await request(to: ["live"], query: ["zone": zone])
        else { return false }
        request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
        // The heartbeat comes every 25 seconds.
        request.timeoutInterval = 90
        let reader = NewsReader(onPoke)
        let session = URLSession(configuration: .ephemeral, delegate: reader, delegateQueue: nil)
        let task = session.dataTask(with: request)
        return await withTaskCancellationHandler {
            await reader.run(task)
            session.invalidateAndCancel()
            return reader.hadNews
        } onCancel: {
            task.cancel()
        }
    }
}

/// The reader of a stream of server-sent events, of which it needs to know only that one came.
private final class NewsReader: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var line: [UInt8] = []
        var hadNews = false
        var isOver = false
        var end: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let onPoke: @Sendable () -> Void

    init(_ onPoke: @escaping @Sendable () -> Void) {
        self.onPoke = onPoke
    }

    var hadNews: Bool { state.withLock { $0.hadNews } }

    func run(_ task: URLSessionDataTask) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isOver { state.end = continuation }
                return state.isOver
            }
            if isOver { continuation.resume() } else { task.resume() }
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        completionHandler(status == 200 ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let pokes = state.withLock { state in
            var pokes = 0
            for byte in data {
                guard byte == UInt8(ascii: "\n") else {
                    // Nothing that matters is long.
                    if state.line.count < 200 { state.line.append(byte) }
                    continue
                }
                if state.line.starts(with: "event:".utf8) { pokes += 1 }
                state.line = []
            }
            if pokes > 0 { state.hadNews = true }
            return pokes
        }
        if pokes > 0 { onPoke() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let end = state.withLock { state in
            state.isOver = true
            defer { state.end = nil }
            return state.end
        }
        end?.resume()
    }
}
