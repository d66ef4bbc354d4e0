package import Foundation

/// The metadata in a store's file: Z_METADATA in a database (sqlite-store §2), the head of any other file.
package struct StoredMetadata: Sendable, Equatable {
    package var uuid: String
    /// A binary property list.
    package var plist: Data

    package init(uuid: String, plist: Data) {
        self.uuid = uuid
        self.plist = plist
    }
}
