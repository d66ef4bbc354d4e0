package import CoreDataValues

/// The record of which destination rows a migration has made from which source rows, with one group for each
/// mapping.
package protocol AssociationRecord: AnyObject {
    /// Notes an association, unless the group has it already.
    func add(_ source: ObjectReference, _ destination: ObjectReference, group: Int) throws(StoreError)
    /// Replaces the reference of a destination by its present one.
    func rename(_ old: ObjectReference, to new: ObjectReference) throws(StoreError)
    func remove(_ destination: ObjectReference) throws(StoreError)
    /// Returns the rows that one group has made from a source, in order; the rows of all groups if `group` is
    /// nil.
    func destinations(of source: ObjectReference, group: Int?) throws(StoreError) -> [ObjectReference]
    func sources(of destination: ObjectReference, group: Int) throws(StoreError) -> [ObjectReference]
    func madeCount(in group: Int) throws(StoreError) -> Int
    /// Returns the rows that a group has made after the mark, up to the limit, and moves the mark behind
    /// them.
    func made(in group: Int, after mark: inout Int64, limit: Int) throws(StoreError) -> [ObjectReference]
    func close()
}
