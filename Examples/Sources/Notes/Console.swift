import CoreData
import CoreDataSync

/// The app of a device: it does what the lines of its input say, and answers each in lines that begin with two
/// spaces, and `ok` or `failed:`.
struct Console {
    static let commands = """
        add TITLE | text TITLE = TEXT | move TITLE to PLACE | attach BYTES to TITLE | delete TITLE
        offline | online | sync | list | lost
        """

    let book: NoteBook

    func run() async {
        for await line in Self.input {
            do {
                for answer in try await answer(to: line) { report("  \(answer)") }
                report("ok")
            } catch {
                report("failed: \(error)")
            }
        }
    }

    /// The lines of the input, read on a thread that may wait for them.
    private static var input: AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }

    private func answer(to line: String) async throws -> [String] {
        let word = line.prefix { $0 != " " }
        let rest = line.dropFirst(word.count + 1)
        switch word {
        case "add":
            let title = String(rest)
            try await book.edit { $0.add(title) }
        case "text":
            let (title, text) = try split(rest, " = ")
            try await book.edit { try $0.note(title).text = text }
        case "move":
            let (title, place) = try split(rest, " to ")
            try await book.edit { try $0.move($0.note(title), to: Int(place) ?? 1) }
        case "attach":
            let (size, title) = try split(rest, " to ")
            let bytes = (0..<(Int(size) ?? 0)).map { UInt8(truncatingIfNeeded: $0 &* 167) }
            try await book.edit { try $0.note(title).file = Data(bytes) }
        case "delete":
            let title = String(rest)
            try await book.edit { list in
                let note = try list.note(title)
                note.managedObjectContext?.delete(note)
            }
        case "offline": await book.container.synchronizer.stop()
        case "online": try await book.container.synchronizer.start()
        case "sync": try await sync()
        case "list": return try await book.lines()
        case "lost": return try await lost()
        default: throw UnknownCommand()
        }
        return []
    }

    private func split(_ text: Substring, _ separator: String) throws -> (String, String) {
        guard let range = text.range(of: separator) else { throw UnknownCommand() }
        return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    }

    /// Syncs, and again until the server can be reached.
    private func sync() async throws {
        let synchronizer = await book.container.synchronizer
        for attempt in 1... {
            do {
                return try await synchronizer.syncNow()
            } catch let failure as SyncFailure where attempt < 100 {
                FileHandle.standardError.write(Data("\(failure)\n".utf8))
                try await Task.sleep(for: .milliseconds(300))
            }
        }
    }

    /// Says what this device's edits lost to, and what it lost to the others'.
    private func lost() async throws -> [String] {
        let synchronizer = await book.container.synchronizer
        let issues = try await synchronizer.issues
        var lines: [String] = []
        for conflict in issues.conflicts {
            let title = await book.title(conflict.objectURI) ?? "a note"
            let what = "\(part(conflict.property, conflict.value)) of \(title)"
            lines.append("\(what)\(text(of: conflict.value)): a later edit won")
        }
        for entry in issues.bin {
            let what = "\(part(entry.property, entry.value)) of a deleted note"
            lines.append("\(what)\(text(of: entry.value)): the deletion won; it can be restored")
        }
        for rejection in issues.rejections {
            lines.append("\(rejection.property ?? "an edit") was refused: \(rejection.reason)")
        }
        try await synchronizer.acknowledge(issues.conflicts.map(\.id) + issues.bin.map(\.id))
        return lines
    }

    private func part(_ property: String?, _ value: SyncIssueValue) -> String {
        value == .place ? "the place" : "the \(property ?? "existence")"
    }

    private func text(of value: SyncIssueValue) -> String {
        switch value {
        case .string(let text): " was “\(text)”"
        case .data(let data): " was a file of \(data.count) bytes"
        default: ""
        }
    }
}

struct UnknownCommand: Error, CustomStringConvertible {
    var description: String { "the commands are:\n\(Console.commands)" }
}
