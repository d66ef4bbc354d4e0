#if Overlay
import CoreDataCodegen
import CoreDataModelFormat
import CoreDataPorting
import Foundation

/// Writes the overlay of a module: the ported sources, and the file that leads the compiler to them.
struct OverlayWriter {
    let file: URL
    /// Where the ported sources lie.
    private let folder: URL
    private let files = ModelFileSystem()

    init(file: String) {
        self.file = URL(fileURLWithPath: file)
        folder = self.file.deletingPathExtension()
    }

    /// The copies first: the compiler finds what the overlay names.
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

    /// Copies of sources that are gone, or need none any more.
    private func removeAll(but kept: Set<String>) {
        let present = FileManager.default.subpaths(atPath: folder.path) ?? []
        for path in present.map({ folder.path + "/" + $0 })
        where path.hasSuffix(".swift") && !kept.contains(path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
#endif
