import Foundation
import Synchronization

/// A database file that this process has open through SQLite.
///
/// A process that closes any descriptor of a file drops all of SQLite's (POSIX) locks on it. Code that opens
/// files which may be databases must close them with `close(_:)`, which keeps the descriptors of an open
/// database until its last connection is closed.
package final class OpenDatabase: Sendable {
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init(_ state: stat) {
            device = UInt64(state.st_dev)
            number = UInt64(state.st_ino)
        }
    }

    private struct Use {
        var connections = 0
        var descriptors: [Int32] = []
    }

    private static let uses = Mutex<[Identity: Use]>([:])

    private let identity: Identity

    /// Notes that a connection was opened; nil if there is no file at the path.
    package init?(_ path: String) {
        var state = stat()
        guard stat(path, &state) == 0 else { return nil }
        let identity = Identity(state)
        self.identity = identity
        Self.uses.withLock { $0[identity, default: Use()].connections += 1 }
    }

    /// Notes that a connection is closed; the last one closes the descriptors.
    deinit {
        Self.uses.withLock { uses in
            uses[identity]?.connections -= 1
            guard let use = uses[identity], use.connections == 0 else { return }
            uses[identity] = nil
            for descriptor in use.descriptors { _ = Foundation.close(descriptor) }
        }
    }

    /// Closes a file, at once or when no connection of this process has it open any more.
    package static func close(_ descriptor: Int32) {
        uses.withLock { uses in
            var state = stat()
            guard !uses.isEmpty, fstat(descriptor, &state) == 0, uses[Identity(state)] != nil else {
                _ = Foundation.close(descriptor)
                return
            }
            uses[Identity(state)]?.descriptors.append(descriptor)
        }
    }
}
