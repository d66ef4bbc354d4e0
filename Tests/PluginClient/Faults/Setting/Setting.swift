import CoreData

/// Is ported, but the target lacks the setting by which the compiler reads the ported text.
@objc(Setting)
final class Setting: NSManagedObject {}
