import CoreDataModelFormat
package import CoreDataValues
import Foundation

/// The references of many rows in their order, of which memory holds a part.
///
/// The others are in a file for temporary data that has no name, so that it goes with the spool, also when the
/// program is killed. It is used by one thread at a time.
package final class ReferenceSpool {
    private static let partSize = 512

    private let folder: String
    /// What is not in the file yet.
    private var part: [ObjectReference] = []
    private var writtenCount = 0
    private var file: Int32?
    private var failure: StoreError?

    /// - Parameter folder: The folder of the file, which is made when it is needed; nil for that of temporary
    ///   files.
    package init(in folder: String? = nil) {
        self.folder = folder ?? FileManager.default.temporaryDirectory.path
    }

    deinit {
        if let file { close(file) }
    }

    package var count: Int { writtenCount + part.count }

    /// Removes all references, to begin anew.
    package func removeAll() {
        part.removeAll(keepingCapacity: true)
        (writtenCount, failure) = (0, nil)
    }

    /// Adds a reference; `requireAll` says whether that succeeded.
    package func append(_ reference: ObjectReference) {
        part.append(reference)
        if part.count == Self.partSize { writePart() }
    }

    /// Throws why a reference could not be added.
    package func requireAll() throws(StoreError) {
        if let failure { throw failure }
    }

    /// Returns the references of a range.
    ///
    /// - Throws: The error of reading the file.
    package func references(in range: Range<Int>) throws(StoreError) -> [ObjectReference] {
        let written = range.clamped(to: 0..<writtenCount)
        var result = try read(written)
        let rest = range.clamped(to: writtenCount..<count)
        result += part[(rest.lowerBound - writtenCount)..<(rest.upperBound - writtenCount)]
        return result
    }

    private func writePart() {
        defer { part.removeAll(keepingCapacity: true) }
        if failure != nil { return }
        do throws(StoreError) {
            let file = try openFile()
            let size = MemoryLayout<ObjectReference>.stride
            // After `removeAll` the file has references of before.
            guard lseek(file, off_t(writtenCount * size), SEEK_SET) >= 0 else { throw unwritable(errno) }
            if let failure = part.withUnsafeBytes({ FileSystem.write($0, to: file) }) {
                throw unwritable(failure.code)
            }
            writtenCount += part.count
        } catch {
            failure = error
        }
    }

    private func openFile() throws(StoreError) -> Int32 {
        if let file { return file }
        do throws(PlainFile.Failure) {
            let file = try FileSystem.openUnnamed(in: folder)
            self.file = file
            return file
        } catch {
            throw unwritable(error.code)
        }
    }

    private func unwritable(_ code: Int32) -> StoreError {
        StoreError(
            system: code, "the keys of rows to read cannot be written to a temporary file", path: folder)
    }

    private func read(_ range: Range<Int>) throws(StoreError) -> [ObjectReference] {
        guard let file, !range.isEmpty else { return [] }
        let size = MemoryLayout<ObjectReference>.stride
        var failure: Int32?
        let references = [ObjectReference](unsafeUninitializedCapacity: range.count) { buffer, count in
            var bytes = UnsafeMutableRawBufferPointer(buffer)[...]
            var offset = off_t(range.lowerBound * size)
            while !bytes.isEmpty {
                let target = UnsafeMutableRawBufferPointer(rebasing: bytes)
                let read = pread(file, target.baseAddress, target.count, offset)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    failure = read < 0 ? errno : EIO
                    return
                }
                bytes = bytes.dropFirst(read)
                offset += off_t(read)
            }
            count = range.count
        }
        if let failure {
            let message = "the keys of rows to read cannot be read from a temporary file"
            throw StoreError(system: failure, message, path: folder)
        }
        return references
    }
}
