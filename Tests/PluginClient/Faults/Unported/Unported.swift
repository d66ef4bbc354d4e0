import CoreData

// The build says how to have it ported, and the compiler why it has to be.
@objc(Unported)  // warning: CoreDataOverlayPlugin
@objcMembers  // error: Objective-C interoperability is disabled
class Unported: NSObject {}
