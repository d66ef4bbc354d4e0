#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Foundation

/// Writes the overlay of a module: the ported sources, and the index file that leads the compiler to them.
struct OverlayWriter {
    let file: URL
    /// The folder of the ported sources.
    private let folder: URL
    private let files = ModelFileSystem()

    init(file: String) {
        self.file = URL(fileURLWithPath: file)
        folder = self.file.deletingPathExtension()
    }

    /// Writes the ported sources first, so that every file that the index names exists.
    func write(_ overlay: ModuleOverlay) throws {
        let ports = overlay.ports.filter(\.isNeeded)
        let copies = ports.map { (original: $0.source.path, copy: folder.path + $0.source.path) }
        for (port, copy) in zip(ports, copies) {
            try write(Data(port.text.utf8), to: URL(fileURLWithPath: copy.copy))
        }
        try write(ModuleOverlay.index(of: copies), to: file)
        removeAll(but: Set(copies.map(\.copy)))
    }

    private func write(_ data: Data, to url: URL) throws {
        try files.createDirectory(at: url.deletingLastPathComponent())
        try files.write(data, to: url)
    }

    /// Removes ported copies of sources that no longer exist or no longer need one.
    private func removeAll(but kept: Set<String>) {
        let present = FileManager.default.subpaths(atPath: folder.path) ?? []
        for path in present.map({ folder.path + "/" + $0 })
        where path.hasSuffix(".swift") && !kept.contains(path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
#endif
