#if Studio
import ArgumentParser
import CoreDataJSON
import CoreDataStudio
import CoreDataStudioServer
import Foundation

/// A studio from its start to its end: its server, its link in the terminal, and what ends it.
struct StudioRun: Sendable {
    /// How often pages are told that the studio is there.
    private static let pingTime = Duration.seconds(15)
    /// How many seconds requests may take to end when the studio does.
    private static let leavingTime = 3.0

    let studio: Studio
    let port: Int
    let assets: AssetSource
    let opensBrowser: Bool

    /// Serves the page, and ends the process after a signal, or when the terminal or program that it was
    /// started from is gone.
    func runToEnd() -> Never {
        let task = Task {
            do {
                try await run()
                exit(EXIT_SUCCESS)
            } catch {
                warn("the page cannot be served\(port == 0 ? "" : " at port \(port)"): \(error)")
                exit(ExitCodes.failure.rawValue)
            }
        }
        let signals = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                task.cancel()
                DispatchQueue.global().asyncAfter(deadline: .now() + Self.leavingTime) { exit(EXIT_SUCCESS) }
            }
            source.activate()
            return source
        }
        withExtendedLifetime(signals) { dispatchMain() }
    }

    private func run() async throws {
        // SQLite removes the logs of a store when the last connection to it is closed.
        defer { studio.close() }
        let server = try await StudioServer(port: port, assets: assets) { [studio] in await studio.answer($0)
        }
        let page = try opensBrowser ? BrowserPage(leadingTo: server.makeLink()) : nil
        defer { page?.remove() }
        followInput(server)
        try show("The studio is open. This link is good once; Enter prints another one, Ctrl+C ends.")
        try show(server.makeLink())
        page?.open()
        await withTaskGroup { group in
            group.addTask { await server.run() }
            group.addTask { [studio] in
                while (try? await Task.sleep(for: Self.pingTime)) != nil { studio.events.post(.ping, .null) }
            }
        }
    }

    /// Prints a new link for each line of standard input.
    private func followInput(_ server: StudioServer) {
        Thread.detachNewThread {
            while readLine() != nil { try? show(server.makeLink()) }
            if Self.endsWithInput { kill(getpid(), SIGTERM) }
        }
    }

    /// Whether the end of standard input means that nobody is there any more: not so for a file or
    /// `/dev/null`.
    private static var endsWithInput: Bool {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return false }
        return isatty(STDIN_FILENO) == 1 || status.st_mode & S_IFMT == S_IFIFO
    }
}
#endif
