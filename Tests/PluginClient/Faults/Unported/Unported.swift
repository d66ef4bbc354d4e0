import CoreData

// The build says how to have it ported, and the compiler why it has to be.
@objc(Unported)  // warning: Context.packageDirectory + "/.build/CoreDataOverlay/FaultsUnported.yaml"
@objcMembers  // error: Objective-C interoperability is disabled
class Unported: NSObject {}
