import Foundation

/// The stores of a driver whose databases are files, and the operations on those files.
///
/// The linker connects the framework and the driver, so that both can be compiled at the same time.
package protocol DatabaseFileStores: DatabaseStores {
    associatedtype Associations: AssociationRecord

    /// Returns whether a file is a database of this kind, whichever program made it. Throws if that is
    /// unknown.
    static func isDatabase(at path: String, timeout: Double) throws(StoreError) -> Bool
    /// Returns the paths of everything that belongs to a store.
    static func files(of path: String) -> [String]
    /// Returns whether two stores contain the same, in whatever form their files have it.
    static func containsSame(_ path: String, as other: String, timeout: Double) throws(StoreError) -> Bool
    /// Replaces the target by a copy of the source.
    static func copy(from source: String, to target: String, timeout: Double) throws(StoreError)
    /// Replaces a database by a file of another kind, once all connections to the database are closed.
    static func giveWay(
        at path: String, timeout: Double, _ replace: () throws(StoreError) -> Void
    ) throws(StoreError)
    /// Removes the external files that a dead process left where there is no database.
    static func removeExternalFiles(leftAt path: String)
    /// Makes an empty record, in a database of its own that goes with it.
    static func recordAssociations() throws(StoreError) -> Associations
}

extension DatabaseFileStores {
    /// Locks the folder of the file.
    package static func reserveStages(at place: String, timeout: Double) throws(StoreError) -> AnyObject {
        try FolderLock(URL(fileURLWithPath: place).deletingLastPathComponent().path, timeout: timeout)
    }
}

/// The reservation of a store while a copy of it is made that then replaces it. No other connection writes to
/// the store meanwhile.
package protocol StoreReserving: AnyObject {
    /// Moves a finished and closed store to the place of the reserved one. Throws an error of kind
    /// `overtaken`, and leaves the reserved store alone, if another connection has written to it.
    func move(_ draft: String) throws(StoreError)
    /// Lets other connections write again.
    func end()
}
