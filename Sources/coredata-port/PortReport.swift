#if Overlay
import CoreDataModelFormat
import CoreDataPorting

/// The report of a module's port.
struct PortReport {
    private let port: ModulePort
    private let module: String
    private let prefix: String

    init(_ port: ModulePort, module: String, root: String) {
        self.port = port
        self.module = module
        prefix = root.hasSuffix("/") ? root : root + "/"
    }

    var diff: String {
        port.changes.map { UnifiedDiff(from: $0.before, to: $0.after).text(naming: relative($0.path)) }
            .joined()
    }

    func text(isWritten: Bool) -> String {
        ([headline(isWritten)] + problems + uses).joined(separator: "\n")
    }

    private func headline(_ isWritten: Bool) -> String {
        let count = port.changes.count
        guard count > 0 else { return "\(module): no file needs to be rewritten" }
        let files = count == 1 ? "1 file" : "\(count) files"
        return "\(module): \(files) \(isWritten ? "rewritten" : "to be rewritten; --write does it")"
    }

    private var problems: [String] {
        guard !port.problems.isEmpty else { return [] }
        return ["\(module): to be done by hand"]
            + port.problems.map { problem in
                var shown = problem
                shown.file = problem.file.map(relative)
                return "    " + shown.line(defaultFile: nil)
            }
    }

    private var uses: [String] {
        ForeignTopic.allCases.flatMap { topic -> [String] in
            let uses = port.foreignUses.filter { $0.topic == topic }
            guard !uses.isEmpty else { return [] }
            return ["\(module): \(topic.rawValue): \(topic.advice)"]
                + uses.map { "    \(relative($0.file)):\($0.line): \($0.name)" }
        }
    }

    private func relative(_ path: String) -> String {
        path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}
#endif
