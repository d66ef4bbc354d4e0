#if Studio
import Foundation

/// The tool itself, run as `coredata studio` on files of a test.
final class StudioProcess: Sendable {
    private let process: StartedProcess

    /// The one that `CORE_DATA_TEST_TOOL` names, or else the one beside the program that runs the tests.
    private static let tool: URL = {
        let named = ProcessInfo.processInfo.environment["CORE_DATA_TEST_TOOL"]
        return named.map { URL(fileURLWithPath: $0) }
            ?? URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("coredata")
    }()

    /// Starts the tool; with the page as it is in the folder that `CORE_DATA_TEST_ASSETS` names, if it names one.
    ///
    /// - Parameter state: The folder for what it keeps about the user's files.
    init(_ arguments: [String], state: URL) throws {
        let folder = ProcessInfo.processInfo.environment["CORE_DATA_TEST_ASSETS"]
        let assets = folder.map { ["--assets", $0] } ?? []
        process = try StartedProcess(
            Self.tool, ["studio", "--no-open"] + assets + arguments,
            environment: ["XDG_STATE_HOME": state.path])
    }

    /// A link to the page that nobody has used.
    func link() async throws -> String {
        let link = try await process.line { $0.hasPrefix("http://") }
        process.forgetLines()
        process.send("\n")
        return link
    }

    /// Returns how many MB the tool has in memory now, and the most that it has had.
    func memory() throws -> (held: Int, most: Int) {
        let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        func megabytes(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return (Int(line.filter(\.isNumber)) ?? 0) / 1000
        }
        return (megabytes("VmRSS:"), megabytes("VmHWM:"))
    }

    /// Returns how many milliseconds of a processor the tool has taken, to a hundredth of a second.
    func processorTime() throws -> Double {
        let stat = try String(contentsOfFile: "/proc/\(process.identifier)/stat", encoding: .utf8)
        // The name of the program may have spaces.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            return .nan
        }
        return (user + system) * 1000 / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// What the tool printed.
    var lines: [String] { process.lines }

    func end() { process.end() }
}
#endif
