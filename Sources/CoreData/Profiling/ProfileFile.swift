import Dispatch
import Foundation
import Synchronization

/// A file to which the events of the process are written while it runs.
///
/// Events are written by a queue of the file's own, so that the program does not wait for them, until `close` or the
/// end of the program.
package final class ProfileFile: Profiling.Sink {
    private struct Writing {
        var images = LoadedImages()
        var imageNumbers: [String: Int] = [:]
        var stackNumbers: [[UInt]: Int] = [:]
        var textNumbers: [String: Int] = [:]
        let encoder = JSONEncoder()
    }

    private let handle: FileHandle
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "com.apple.coredata.profile")
    /// The numbers given so far, which only the queue uses.
    private let writing = Mutex(Writing())
    private let hits = Mutex<[String: Int]>([:])
    private let listener = Mutex<Profiling.Listener?>(nil)

    /// Begins to record into a new file.
    package init(at url: URL) throws {
        try Data().write(to: url)
        handle = try FileHandle(forWritingTo: url)
        var line = ProfileLine()
        let process = ProcessInfo.processInfo
        line.header = ProfileLine.Header(
            format: ProfileLine.Header.currentFormat, program: process.processName,
            arguments: Array(process.arguments.dropFirst()), process: process.processIdentifier, date: Date())
        writing.withLock { [line] in write(line, by: $0.encoder) }
        listener.withLock { $0 = Profiling.listen(self) }
    }

    /// Ends the recording when all events are written.
    package func close() {
        listener.withLock { listener in
            listener?.stop()
            listener = nil
        }
        flush()
    }

    /// Waits until all events so far are written.
    package func flush() {
        queue.sync { writing.withLock { writeHits(by: $0.encoder) } }
    }

    // MARK: Events

    package func note(_ event: ProfileEvent) {
        queue.async { [self] in writing.withLock { write(event, &$0) } }
    }

    package var wantsDetails: Bool { true }

    package func noteCacheHit(entity: String, store: StoreMark?) {
        hits.withLock { $0[entity, default: 0] += 1 }
    }

    // MARK: Writing

    private func write(_ event: ProfileEvent, _ writing: inout Writing) {
        writeHits(by: writing.encoder)
        let stack = event.callers.isEmpty ? nil : number(of: event.callers, &writing)
        let text = event.detail.flatMap { number(ofText: $0, &writing) }
        let stores = event.stores?.map { number(ofText: $0, &writing) }
        var line = ProfileLine()
        line.event = ProfileLine.Event(
            kind: event.kind, start: (event.start - start).nanoseconds, duration: event.duration.nanoseconds,
            entity: event.entity, detail: text == nil ? event.detail : nil, text: text, count: event.count,
            context: event.context, store: event.store,
            stores: stores.flatMap { $0.contains(nil) ? nil : $0.compactMap(\.self) },
            failure: event.failure, thread: event.thread, stack: stack)
        write(line, by: writing.encoder)
    }

    private func writeHits(by encoder: JSONEncoder) {
        let counts = hits.withLock { hits in
            defer { hits = [:] }
            return hits
        }
        guard !counts.isEmpty else { return }
        var line = ProfileLine()
        line.hits = counts
        write(line, by: encoder)
    }

    /// Returns the number of a stack, which is written if it is new.
    private func number(of callers: [UInt], _ writing: inout Writing) -> Int {
        if let known = writing.stackNumbers[callers] { return known }
        let number = writing.stackNumbers.count
        writing.stackNumbers[callers] = number
        var line = ProfileLine()
        line.stack = ProfileLine.Stack(
            number: number,
            frames: callers.compactMap { address in
                // The address is that of the instruction after the call.
                guard let place = writing.images.place(of: address - 1) else { return nil }
                return [UInt(self.number(ofImage: place.path, &writing)), place.offset]
            })
        write(line, by: writing.encoder)
        return number
    }

    /// Returns the number of a text, which is written if it is new; nil for a new one when there are very many, as a
    /// program may make another one each time.
    private func number(ofText value: String, _ writing: inout Writing) -> Int? {
        if let known = writing.textNumbers[value] { return known }
        let number = writing.textNumbers.count
        guard number < Self.mostTexts else { return nil }
        writing.textNumbers[value] = number
        var line = ProfileLine()
        line.text = ProfileLine.Text(number: number, value: value)
        write(line, by: writing.encoder)
        return number
    }

    private static let mostTexts = 10_000

    private func number(ofImage path: String, _ writing: inout Writing) -> Int {
        if let known = writing.imageNumbers[path] { return known }
        let number = writing.imageNumbers.count
        writing.imageNumbers[path] = number
        var line = ProfileLine()
        line.image = ProfileLine.Image(number: number, path: path)
        write(line, by: writing.encoder)
        return number
    }

    /// Writes a line. A line that cannot be written, on a full disk, is left out.
    private func write(_ line: ProfileLine, by encoder: JSONEncoder) {
        guard var data = try? encoder.encode(line) else { return }
        data.append(UInt8(ascii: "\n"))
        try? handle.write(contentsOf: data)
    }
}

extension Duration {
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
