import Foundation

/// The progress of long work, on the last line of a terminal.
///
/// It shows nothing if standard error is no terminal, and nothing in the first half second, in which most
/// work is done.
final class ProgressBar {
    private let title: String
    private let isShown: Bool
    private let start = ContinuousClock.now
    private var last = ""
    private static let width = 30
    private static let patience = Duration.milliseconds(500)

    init(_ title: String) {
        self.title = title
        isShown = isatty(STDERR_FILENO) == 1
    }

    /// Shows the progress.
    ///
    /// - Parameter total: The number of all steps; 0 if it is not known.
    func show(_ done: Int, of total: Int) {
        guard isShown, ContinuousClock.now - start > Self.patience else { return }
        let line = total > 0 ? bar(done, total) : "\(title) \(done)"
        guard line != last else { return }
        last = line
        Self.write("\r\u{1B}[K\(line)")
    }

    /// Shows the elapsed seconds of work whose progress is unknown.
    func waiting<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard isShown else { return try body() }
        let queue = DispatchQueue(label: "progress")
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let (title, start) = (title, start)
        timer.setEventHandler {
            Self.write("\r\u{1B}[K\(title) \((ContinuousClock.now - start).components.seconds) s")
        }
        timer.schedule(deadline: .now() + 1, repeating: 1)
        timer.resume()
        defer {
            queue.sync {
                timer.cancel()
                Self.write("\r\u{1B}[K")
            }
        }
        return try body()
    }

    private func bar(_ done: Int, _ total: Int) -> String {
        let filled = min(Self.width, done * Self.width / total)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        return "\(title) [\(bar)] \(min(100, done * 100 / total)) %"
    }

    /// Removes the line.
    func finish() {
        if !last.isEmpty { Self.write("\r\u{1B}[K") }
        last = ""
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
