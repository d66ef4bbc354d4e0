import Foundation

/// A program that runs as another user if this process is root, until it is stopped or this process ends. Its
/// folder is then removed, also if the process is killed.
package final class Companion: Sendable {
    /// The folder of its files. Not in TMPDIR: the path of a socket must be short, and the program's user must
    /// be able to reach it.
    package let folder: String
    private let shell = Process()
    /// The pipe that ends the program when it is closed, at the latest by the kernel when this process ends.
    private let lifeline = Pipe()

    /// Starts a program, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - script: Commands for the shell, of which the last one runs in the background. `$folder` is the folder,
    ///     `"$@"` runs what follows as the program's user, `$a`, `$b` and `$c` are the arguments.
    ///   - arguments: Three texts.
    ///   - signal: The signal that ends the program at once, though in order.
    ///   - isReady: Whether the program accepts connections, given the folder.
    package init(
        _ name: String, _ script: String, _ arguments: (String, String, String), signal: String,
        isReady: (String) -> Bool
    ) throws(TestServer.Failure) {
        folder = "/tmp/opencoredata-\(name)-\(UUID().uuidString.prefix(8))"
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", Self.frame(script), "sh", folder, signal, arguments.0, arguments.1, arguments.2,
        ]
        shell.standardInput = lifeline
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        // Another process that a test starts must not keep the program alive.
        _ = fcntl(lifeline.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
            try shell.run()
        } catch {
            throw TestServer.Failure(description: "\(name) cannot be started: \(error)")
        }
        let deadline = ContinuousClock.now + .seconds(120)
        while !isReady(folder) {
            guard shell.isRunning, ContinuousClock.now < deadline else {
                let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
                try? FileManager.default.removeItem(atPath: folder)
                throw TestServer.Failure(description: "\(name) did not start: \(log.suffix(2000))")
            }
            usleep(20_000)
        }
    }

    deinit { stop() }

    /// Ends the program and waits for its end.
    package func stop() {
        try? lifeline.fileHandleForWriting.close()
        shell.waitUntilExit()
    }

    /// PostgreSQL and PgBouncer refuse to run as root, so root starts them as another user. The signal is sent
    /// again and again: a server that is just starting ignores it.
    private static func frame(_ script: String) -> String {
        """
        trap '' HUP INT TERM
        folder=$1 signal=$2 a=$3 b=$4 c=$5
        set --
        if [ "$(id -u)" = 0 ]; then
            set -- setpriv --reuid=postgres --regid=postgres --init-groups
            chown postgres "$folder"
        fi
        run() {
        \(script)
            server=$!
            cat <&3 >/dev/null
            ( while kill -$signal $server; do sleep 1; done ) &
            again=$!
            wait $server
            kill -KILL $again
        }
        cd / && run "$@" 3<&0 </dev/null >"$folder/log" 2>&1
        [ -n "$server" ] && rm -rf "$folder"
        """
    }
}
