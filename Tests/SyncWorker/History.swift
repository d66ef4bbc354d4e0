import Foundation

/// What happened at clients, each of which writes a file of its own, an event a line. What a process has written is
/// there after it was killed.
struct History: Sendable {
    /// The events of each client in their order.
    var events: [String: [Event]] = [:]
    /// The values of cells that lost, as the server tells.
    var losses: Set<String> = []

    init() {}

    /// Reads the histories in a folder, and its list of losses.
    init(folder: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name.hasSuffix(Self.suffix) {
            let data = try Data(contentsOf: folder.appendingPathComponent(name))
            events[String(name.dropLast(Self.suffix.count))] = try Self.events(data)
        }
        let text = try String(contentsOf: folder.appendingPathComponent("losses"), encoding: .utf8)
        losses = Set(text.split(separator: "\n").map(String.init))
    }

    static let suffix = ".history"

    private static func events(_ data: Data) throws -> [Event] {
        let decoder = JSONDecoder()
        // The last line may have been cut off.
        let whole = data.lastIndex(of: UInt8(ascii: "\n")).map { data[..<$0] } ?? Data()
        return try whole.split(separator: UInt8(ascii: "\n")).map { try decoder.decode(Event.self, from: $0) }
    }
}

/// The file of one client's events.
struct HistoryFile: Sendable {
    private let descriptor: Int32

    init(_ client: String, in folder: URL) throws {
        let path = folder.appendingPathComponent(client + History.suffix).path
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteNoPermission) }
        try endLine()
    }

    /// Ends a line that a killed process has begun: what it says has not happened.
    private func endLine() throws {
        let size = lseek(descriptor, 0, SEEK_END)
        guard size > 0 else { return }
        var data = Data(count: Int(size))
        _ = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        let end = data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        if end < data.count { ftruncate(descriptor, off_t(end)) }
    }

    func add(_ event: Event) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let line = try encoder.encode(event) + Data("\n".utf8)
        let count = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count == line.count else { throw CocoaError(.fileWriteOutOfSpace) }
    }
}
