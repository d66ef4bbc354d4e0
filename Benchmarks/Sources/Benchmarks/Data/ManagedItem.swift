import CoreData

/// Items by a class that is written by hand. Apps get the accessors behind `@NSManaged` from the plugin; here they are
/// written out in its way, so that the benchmarks do not have to build it.
final class ManagedItem: NSManagedObject {
    fileprivate static let serialProperty = ManagedProperty("serial")

    @NSManaged var serial: Int64

    /// Opens the stores of `Item`: the class of an entity is no part of its version.
    static func makeModel() -> NSManagedObjectModel {
        let model = Item.makeModel()
        model.entities[0].managedObjectClassName = NSStringFromClass(ManagedItem.self)
        return model
    }
}

extension ManagedItem {
    @_silgen_name("$s10Benchmarks11ManagedItemC6serials5Int64Vvg")
    nonisolated dynamic final func __get_serial() -> Int64 { ManagedAccess.read(self, Self.serialProperty) }
    @_silgen_name("$s10Benchmarks11ManagedItemC6serials5Int64Vvs")
    nonisolated dynamic final func __set_serial(_ value: __owned Int64) {
        ManagedAccess.write(self, Self.serialProperty, value)
    }
}
