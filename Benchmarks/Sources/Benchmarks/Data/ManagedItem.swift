import CoreData

/// A hand-written class for items. In apps the plugin supplies the accessors of `@NSManaged`; here they are
/// written out in the same way, so that the benchmarks need not build the plugin.
final class ManagedItem: NSManagedObject {
    fileprivate static let serialProperty = ManagedProperty("serial")

    @NSManaged var serial: Int64

    /// Returns a model that opens the stores of `Item`: the class of an entity is no part of its version.
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
