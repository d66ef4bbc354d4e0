import CoreDataModelFormat
import CoreDataStore
package import Foundation
import Synchronization

/// The folder beside a store that holds its external files (sqlite-store §6).
///
/// A store from an untrusted source comes with its folder, which may contain anything. No link into the
/// folder or out of it is followed, and only plain files are read, whose size is known. At any time, other
/// processes may make the folder, or remove it when it is empty.
package struct ExternalFolder: Sendable {
    private typealias Failure = PlainFile.Failure

    private static let name = "_EXTERNAL_DATA"

    /// The path of the support folder, which contains the folder of the files.
    private let support: String

    package var path: String { "\(support)/\(Self.name)" }

    package init(ofStoreAt path: String) {
        support = SQLiteStores.supportFolder(of: Self.lenders.withLock { $0[path] } ?? path)
    }

    // MARK: Copies of a database

    /// The stores whose external files copies read, by the path of the copy.
    private static let lenders = Mutex<[String: String]>([:])

    /// Makes a copy of a database read the external files of the original.
    package static func lend(of store: String, to copy: String) { lenders.withLock { $0[copy] = store } }

    package static func endLoan(to copy: String) { lenders.withLock { $0[copy] = nil } }

    // MARK: Reading

    /// Returns all names in the folder.
    package func names() -> [String] { (try? FileSystem.names(in: open([Self.name]))) ?? [] }

    /// Returns the plain files in the folder.
    package func files() -> [(name: String, size: Int64)] {
        guard let folder = try? open([Self.name]) else { return [] }
        defer { close(folder) }
        return ((try? FileSystem.names(in: dup(folder))) ?? []).sorted().compactMap { name in
            var status = stat()
            guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, PlainFile.isPlain(status) else {
                return nil
            }
            return (name, Int64(status.st_size))
        }
    }

    /// Returns the first bytes of a file, and the number of all of them; nil if it cannot be read.
    package func beginning(of name: String, _ count: Int) -> (bytes: Data, length: Int)? {
        guard !name.contains("/"), let file = try? openFile(name) else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, PlainFile.isPlain(status) else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, Foundation.read(file, buffer.baseAddress, count))
        }
        return (Data(bytes), Int(status.st_size))
    }

    func read(_ name: String) throws(PlainFile.Failure) -> Data {
        let file = try openFile(name)
        defer { close(file) }
        return try PlainFile.contents(of: file)
    }

    private func openFile(_ name: String) throws(Failure) -> Int32 {
        let folder = try open([Self.name])
        defer { close(folder) }
        let file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure() }
        return file
    }

    // MARK: Writing

    /// Writes a new file and synchronizes its content. Makes the folder if need be.
    func write(_ bytes: UnsafeRawBufferPointer, to name: String) throws(StoreError) {
        try changing(name) { () throws(Failure) in
            let file = try makeFile(name)
            defer { close(file) }
            if let failure = FileSystem.write(bytes, to: file) { throw failure }
            try FileSystem.synchronize(file: file)
        }
    }

    /// Copies a file of another folder and synchronizes its content.
    ///
    /// - Returns: False if there is no such file.
    func copy(_ file: String, of other: ExternalFolder, to name: String) throws(StoreError) -> Bool {
        try changing(name) { () throws(Failure) -> Bool in
            let source: Int32
            do throws(Failure) {
                source = try other.openFile(file)
            } catch {
                if error.code == ENOENT { return false }
                throw error
            }
            defer { close(source) }
            let status = try PlainFile.status(of: source)
            // Users who may not read the original must not be able to read the copy.
            let target = try makeFile(name, permissions: status.st_mode & 0o777)
            defer { close(target) }
            var rest = Int(status.st_size)
            while rest > 0 {
                let count = sendfile(target, source, nil, rest)
                if count < 0, errno != EINTR { throw Self.failure() }
                if count == 0 { break }
                if count > 0 { rest -= count }
            }
            try FileSystem.synchronize(file: target)
            return true
        }
    }

    /// Moves a file of another folder, or of this one, to a name in this folder, replacing any file with that
    /// name.
    func move(_ file: String, of other: ExternalFolder, to name: String) throws(StoreError) {
        try changing(name) { () throws(Failure) in
            let source = try other.open([Self.name])
            defer { close(source) }
            try making { folder throws(Failure) in
                guard renameat(source, file, folder, name) == 0 else { throw Self.failure() }
            }
        }
    }

    /// Makes sure that the folder's new and renamed entries survive a crash of the machine.
    func synchronize() throws(StoreError) {
        try changing(nil) { () throws(Failure) in
            let folder = try open([Self.name])
            defer { close(folder) }
            try FileSystem.synchronize(folder: folder)
        }
    }

    /// Removes files. A failure is no error, since no row names the files.
    ///
    /// - Returns: Whether all files are gone.
    @discardableResult
    package func remove(_ names: some Sequence<String>) -> Bool {
        let folder: Int32
        do throws(Failure) {
            folder = try open([Self.name])
        } catch {
            return error.code == ENOENT
        }
        defer { close(folder) }
        return names.reduce(true) { isDone, name in
            // There may be an empty folder with the name of a file.
            let isGone =
                unlinkat(folder, name, 0) == 0 || errno == ENOENT
                || errno == EISDIR && unlinkat(folder, name, AT_REMOVEDIR) == 0
            return isGone && isDone
        }
    }

    /// Removes the folder and the support folder if they are empty.
    func removeIfEmpty() {
        if let folder = try? open([]) {
            unlinkat(folder, Self.name, AT_REMOVEDIR)
            close(folder)
        }
        rmdir(support)
    }

    private func makeFile(_ name: String, permissions: mode_t = 0o666) throws(Failure) -> Int32 {
        try making { folder throws(Failure) in
            let file = openat(
                folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, permissions)
            guard file >= 0 else { throw Self.failure() }
            return file
        }
    }

    private func changing<Result>(
        _ name: String?, _ body: () throws(Failure) -> Result
    ) throws(StoreError) -> Result {
        do throws(Failure) {
            return try body()
        } catch {
            throw StoreError(
                error, "the external file cannot be written", path: name.map { "\(path)/\($0)" } ?? path)
        }
    }

    // MARK: Notes

    /// Makes a note outside of the folder of the files, since other software expects only the files of values
    /// there.
    func makeNote(named prefix: String) throws(StoreError) -> Claim {
        let isRemoved = { (_: StoreError) in access(support, F_OK) != 0 && errno == ENOENT }
        return try remaking(if: isRemoved) { () throws(StoreError) in
            // `Claim` uses the path, which must not contain a link; `open` rejects links.
            try changing(nil) { () throws(Failure) in
                let folder = try open([], making: true)
                close(folder)
            }
            return try Claim(.file(permissions: 0o666), named: "\(support)/\(prefix)")
        }
    }

    /// Returns the paths of all processes' notes whose names have a prefix.
    func notes(named prefix: String) -> [String] {
        ((try? FileSystem.names(in: open([]), startingWith: prefix)) ?? []).map { "\(support)/\($0)" }
    }

    // MARK: The system

    /// Calls `body` with the open folder of the files, which is made if need be.
    private func making<Result>(_ body: (Int32) throws(Failure) -> Result) throws(Failure) -> Result {
        try remaking(if: { (error: Failure) in error.code == ENOENT }) { () throws(Failure) in
            let folder = try open([Self.name], making: true)
            defer { close(folder) }
            return try body(folder)
        }
    }

    /// Runs `body`, which makes folders and works in them. Runs it again if another process has just removed
    /// one of the folders because it was empty.
    private func remaking<Result, Problem: Error>(
        if isRemoved: (Problem) -> Bool, _ body: () throws(Problem) -> Result
    ) throws(Problem) -> Result {
        for _ in 1..<Self.mostAttempts {
            do throws(Problem) {
                return try body()
            } catch {
                guard isRemoved(error) else { throw error }
            }
        }
        return try body()
    }

    private static let mostAttempts = 8

    /// Opens the support folder, or a folder inside it.
    private func open(_ path: [String], making: Bool = false) throws(Failure) -> Int32 {
        let url = URL(fileURLWithPath: support)
        var folder = Foundation.open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure() }
        for name in [url.lastPathComponent] + path {
            if making, mkdirat(folder, name, 0o777) != 0, errno != EEXIST {
                let failure = Self.failure()
                close(folder)
                throw failure
            }
            let next = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let failure = Self.failure(in: "\(name) is a link or not a folder")
            close(folder)
            guard next >= 0 else { throw failure }
            folder = next
        }
        return folder
    }

    /// Returns the failure of the last system call.
    ///
    /// - Parameter reason: The text for a link, since the system's text speaks of levels of links.
    private static func failure(in reason: String = "It is a link") -> Failure {
        [ELOOP, ENOTDIR].contains(errno) ? Failure(errno, reason) : Failure(errno)
    }
}
