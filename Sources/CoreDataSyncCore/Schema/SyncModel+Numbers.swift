import CoreDataValues

extension SyncModel.Kind {
    /// Makes an attribute of a type by its number in models; nil for a number that stands for no type.
    package static func attribute(type number: UInt, default value: SyncValue) -> SyncModel.Kind? {
        AttributeType(rawValue: Int(clamping: number)).map { .attribute($0, default: value) }
    }
}
