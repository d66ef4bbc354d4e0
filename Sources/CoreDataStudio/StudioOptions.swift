package import Foundation

/// What the studio was started with.
package struct StudioOptions: Sendable {
    /// Model packages, stores' files and addresses of stores.
    package var files: [URL]
    /// The model of the stores, if it is not the one that they carry.
    package var model: URL?
    /// Whether objects of stores may be changed.
    package var mayEditStores = false
    /// Whether nothing may be changed, models neither.
    package var isReadOnly = false
    /// The folder that saved copies and exported files go to.
    package var root: URL

    package init(files: [URL], root: URL) {
        self.files = files
        self.root = root
    }
}
