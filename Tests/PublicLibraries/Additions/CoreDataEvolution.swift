public import CoreData
@_exported import CoreFoundation

/// The container that Apple's systems keep in step with CloudKit, which nothing here makes.
public class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {}

// A type of its own on Apple's systems, a string here.
extension CFRunLoopMode {
    static var commonModes: CFRunLoopMode { kCFRunLoopCommonModes }
}
