import CSQLite
import Foundation
import Synchronization

/// Simulated failures of SQLite's files: a layer between SQLite and the system that forwards everything,
/// except for the files of stores that a test has armed.
enum FaultyFiles {
    /// Fails one operation, counted from the moment it is armed, and all that follow until it is disarmed.
    final class Fault: Sendable {
        enum Operation: Sendable {
            case read, write, sync, lock
        }

        let operation: Operation
        let code: Int32
        private let remaining: Mutex<Int>
        private let armed = Atomic(true)
        private let fired = Atomic(false)

        init(_ operation: Operation, _ code: Int32, after count: Int) {
            self.operation = operation
            self.code = code
            remaining = Mutex(count)
        }

        var hasFired: Bool { fired.load(ordering: .relaxed) }
        func disarm() { armed.store(false, ordering: .relaxed) }

        fileprivate func answer(_ operation: Operation) -> Int32? {
            guard operation == self.operation, armed.load(ordering: .relaxed) else { return nil }
            let isDue = remaining.withLock { count in
                count -= 1
                return count < 0
            }
            guard isDue else { return nil }
            fired.store(true, ordering: .relaxed)
            return code
        }
    }

    /// The armed faults by path: of a database, with its log and index, or of a folder, with all files in it.
    private static let faults = Mutex<[String: Fault]>([:])

    static func arm(_ fault: Fault, at path: String) {
        _ = layer
        faults.withLock { $0[path] = fault }
    }

    static func clear(_ path: String) { faults.withLock { $0[path] = nil } }

    fileprivate static func answer(_ operation: Fault.Operation, _ path: String) -> Int32? {
        faults.withLock { $0[path] }?.answer(operation)
    }

    /// Makes the files of a path use the layer, from the next one opened.
    static func watch(_ path: String) {
        _ = layer
        watched.withLock { _ = $0.insert(path) }
    }

    /// Watches temporary files without a name that this thread opens; returns a placeholder for their path.
    static func watchNameless() -> String {
        watch(nameless)
        return nameless
    }

    private static var nameless: String { "nameless files of thread \(pthread_self())" }

    private static let watched = Mutex<Set<String>>([])

    fileprivate static func watchedPath(_ name: String?) -> String? {
        guard let name else { return watched.withLock { $0.contains(nameless) ? nameless : nil } }
        let suffixes = ["-wal", "-journal", ""]
        return watched.withLock { watched in
            for suffix in suffixes where name.hasSuffix(suffix) {
                let path = String(name.dropLast(suffix.count))
                if watched.contains(path) { return path }
            }
            return watched.first { name.hasPrefix($0 + "/") }
        }
    }

    // MARK: The layer

    /// Registers as SQLite's file system, once.
    private static let layer: Void = {
        let system = sqlite3_vfs_find(nil)!
        let layer = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        layer.initialize(to: system.pointee)
        layer.pointee.zName = UnsafePointer(strdup("faulty"))
        layer.pointee.szOsFile = Int32(File.size) + system.pointee.szOsFile
        layer.pointee.pAppData = UnsafeMutableRawPointer(system)
        layer.pointee.xOpen = { vfs, name, file, flags, outFlags in
            let system = vfs!.pointee.pAppData!.assumingMemoryBound(to: sqlite3_vfs.self)
            guard let path = FaultyFiles.watchedPath(name.map { String(cString: $0) }) else {
                return system.pointee.xOpen(system, name, file, flags, outFlags)
            }
            let real = File.real(file!)
            real.pointee.pMethods = nil
            let code = system.pointee.xOpen(system, name, real, flags, outFlags)
            file!.pointee.pMethods = nil
            if real.pointee.pMethods != nil {
                File.setPath(path, of: file!)
                file!.pointee.pMethods = UnsafePointer(File.methods)
            }
            return code
        }
        sqlite3_vfs_register(layer, 1)
    }()

    /// An open file of the layer: SQLite's structure, the path under which its faults are armed, then the
    /// system's file.
    private enum File {
        static let size = 32

        static func real(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
            (UnsafeMutableRawPointer(file) + size).assumingMemoryBound(to: sqlite3_file.self)
        }

        private static func place(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<
            UnsafeMutablePointer<CChar>?
        > {
            (UnsafeMutableRawPointer(file) + 16).assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        }

        static func setPath(_ path: String, of file: UnsafeMutablePointer<sqlite3_file>) {
            place(file).pointee = strdup(path)
        }

        static func answer(_ operation: Fault.Operation, _ file: UnsafeMutablePointer<sqlite3_file>) -> Int32?
        {
            FaultyFiles.answer(operation, String(cString: place(file).pointee!))
        }

        nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
            let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            methods.initialize(to: sqlite3_io_methods())
            methods.pointee.iVersion = 2
            methods.pointee.xClose = { file in
                let real = File.real(file!)
                free(File.place(file!).pointee)
                return real.pointee.pMethods.pointee.xClose(real)
            }
            methods.pointee.xRead = { file, buffer, count, offset in
                if let code = File.answer(.read, file!) { return code }
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xRead(real, buffer, count, offset)
            }
            methods.pointee.xWrite = { file, buffer, count, offset in
                if let code = File.answer(.write, file!) { return code }
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xWrite(real, buffer, count, offset)
            }
            methods.pointee.xTruncate = { file, size in
                if let code = File.answer(.write, file!) { return code }
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xTruncate(real, size)
            }
            methods.pointee.xSync = { file, flags in
                if let code = File.answer(.sync, file!) { return code }
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xSync(real, flags)
            }
            methods.pointee.xFileSize = { file, size in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xFileSize(real, size)
            }
            methods.pointee.xLock = { file, level in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xLock(real, level)
            }
            methods.pointee.xUnlock = { file, level in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xUnlock(real, level)
            }
            methods.pointee.xCheckReservedLock = { file, result in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xCheckReservedLock(real, result)
            }
            methods.pointee.xFileControl = { file, operation, argument in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xFileControl(real, operation, argument)
            }
            methods.pointee.xSectorSize = { file in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xSectorSize(real)
            }
            methods.pointee.xDeviceCharacteristics = { file in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xDeviceCharacteristics(real)
            }
            methods.pointee.xShmMap = { file, region, size, extends, pointer in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xShmMap(real, region, size, extends, pointer)
            }
            methods.pointee.xShmLock = { file, offset, count, flags in
                // Releasing a lock does not fail.
                if flags & SQLITE_SHM_LOCK != 0, let code = File.answer(.lock, file!) { return code }
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xShmLock(real, offset, count, flags)
            }
            methods.pointee.xShmBarrier = { file in
                let real = File.real(file!)
                real.pointee.pMethods.pointee.xShmBarrier(real)
            }
            methods.pointee.xShmUnmap = { file, deletes in
                let real = File.real(file!)
                return real.pointee.pMethods.pointee.xShmUnmap(real, deletes)
            }
            return methods
        }()
    }
}
