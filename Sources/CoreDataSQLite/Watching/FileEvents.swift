import Dispatch
import Foundation
import Synchronization

/// Notifications of writes to files by any process. They come from one inotify instance per process, which
/// exists while there are listeners.
///
/// Folders are watched, not files, since a log may be removed and created again.
final class FileEvents: Sendable {
    static let shared = FileEvents()

    typealias Handler = @Sendable () -> Void

    private struct Listener {
        let folder: String
        let names: Set<String>
        let handler: Handler
    }

    private struct State {
        var descriptor: Int32 = -1
        var source: (any DispatchSourceRead)?
        var listeners: [Int: Listener] = [:]
        var folders: [String: Int32] = [:]
        var next = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "CoreData.FileEvents", qos: .utility)

    // MARK: Listening

    /// Has the handler called for each write to one of the files, on this type's queue. Nil if the system
    /// allows no further watch.
    func listen(in folder: String, to names: Set<String>, _ handler: @escaping Handler) -> Int? {
        state.withLock { state in
            guard open(&state) else { return nil }
            if state.folders[folder] == nil {
                let watch = inotify_add_watch(state.descriptor, folder, UInt32(IN_MODIFY))
                guard watch >= 0 else {
                    closeIfIdle(&state)
                    return nil
                }
                state.folders[folder] = watch
            }
            state.next += 1
            state.listeners[state.next] = Listener(folder: folder, names: names, handler: handler)
            return state.next
        }
    }

    func stop(_ listener: Int) {
        state.withLock { state in
            guard let folder = state.listeners.removeValue(forKey: listener)?.folder else { return }
            if !state.listeners.values.contains(where: { $0.folder == folder }),
                let watch = state.folders.removeValue(forKey: folder)
            {
                inotify_rm_watch(state.descriptor, watch)
            }
            closeIfIdle(&state)
        }
    }

    // MARK: The instance

    private func open(_ state: inout State) -> Bool {
        guard state.source == nil else { return true }
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return false }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.drain(descriptor) }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        state.descriptor = descriptor
        state.source = source
        return true
    }

    private func closeIfIdle(_ state: inout State) {
        guard state.listeners.isEmpty else { return }
        state.source?.cancel()
        state = State(next: state.next)
    }

    /// Reads the events and calls the listeners. After an overflow of the event queue it calls all of them.
    private func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            var written: [Int32: Set<String>] = [:]
            var isOverrun = false
            buffer.withUnsafeBytes { bytes in
                var offset = 0
                let header = MemoryLayout<inotify_event>.size
                while offset + header <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let name = bytes[(offset + header)..<(offset + header + Int(event.len))]
                    offset += header + Int(event.len)
                    if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { isOverrun = true }
                    written[event.wd, default: []].insert(
                        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self))
                }
            }
            for handler in handlers(of: written, all: isOverrun) { handler() }
        }
    }

    private func handlers(of written: [Int32: Set<String>], all: Bool) -> [Handler] {
        state.withLock { state in
            state.listeners.values.filter { listener in
                guard !all else { return true }
                let names = state.folders[listener.folder].flatMap { written[$0] } ?? []
                return !listener.names.isDisjoint(with: names)
            }.map(\.handler)
        }
    }
}
