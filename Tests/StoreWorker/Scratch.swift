import Foundation

/// Where the folders of a run lie.
struct Scratch {
    let url: URL

    init() throws {
        // In memory, if there is such a place: what counts is the order of calls, not that a disk has the
        // bytes.
        let shared = URL(fileURLWithPath: "/dev/shm")
        let files = FileManager.default
        let base = files.isWritableFile(atPath: shared.path) ? shared : files.temporaryDirectory
        url = base.appendingPathComponent("stores-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func folder() -> URL {
        let folder = url.appendingPathComponent(UUID().uuidString)
        try! FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    func copy(_ folder: URL) -> URL {
        let copy = url.appendingPathComponent(UUID().uuidString)
        try! FileManager.default.copyItem(at: folder, to: copy)
        return copy
    }

    func remove(_ folder: URL) { try? FileManager.default.removeItem(at: folder) }

    func remove() { remove(url) }
}
