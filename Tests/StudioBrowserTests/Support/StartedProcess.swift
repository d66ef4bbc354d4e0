#if Studio
import Foundation
import Synchronization

/// A program that a test started, and the lines that it printed.
final class StartedProcess: Sendable {
    private struct State {
        var lines: [String] = []
        var rest: [UInt8] = []
        var hasEnded = false
    }

    private let process: Process
    private let input = Pipe()
    private let state = Mutex(State())
    private let (news, newsSource) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    /// - Parameter environment: What the program finds in its environment besides that of the tests.
    init(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) throws {
        let output = Pipe()
        process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let descriptor = output.fileHandleForReading.fileDescriptor
        Thread.detachNewThread { [weak self] in
            withExtendedLifetime(output) {
                var buffer = [UInt8](repeating: 0, count: 4096)
                while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
                    self?.take(Array(buffer[..<count]))
                }
                self?.take([])
            }
        }
    }

    deinit { end() }

    /// Takes what the program printed; nothing at its end.
    private func take(_ bytes: [UInt8]) {
        state.withLock { state in
            if bytes.isEmpty { state.hasEnded = true }
            state.rest += bytes
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                state.lines.append(String(decoding: state.rest[..<end], as: UTF8.self))
                state.rest.removeSubrange(...end)
            }
        }
        newsSource.yield()
    }

    var identifier: Int32 { process.processIdentifier }

    /// All that the program printed until now.
    var lines: [String] { state.withLock { $0.lines } }

    /// Waits for a line. Throws if the program ends without it.
    func line(_ isWanted: @Sendable (String) -> Bool) async throws -> String {
        var iterator = news.makeAsyncIterator()
        while true {
            let (found, hasEnded) = state.withLock { ($0.lines.last(where: isWanted), $0.hasEnded) }
            if let found { return found }
            if hasEnded { throw WebDriver.Failure(description: "it ended: \(lines.joined(separator: "\n"))") }
            _ = await iterator.next()
        }
    }

    /// Forgets what was printed.
    func forgetLines() { state.withLock { $0.lines = [] } }

    func send(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    /// Ends the program, and waits for that.
    ///
    /// Programs that are started on a thread of a queue have its mask of signals: they do not see SIGTERM.
    func end() {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }
}
#endif
